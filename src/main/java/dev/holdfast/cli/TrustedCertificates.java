package dev.holdfast.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of a PEM file, to be trusted in the place of those that Java trusts. */
final class TrustedCertificates {
    private TrustedCertificates() {}

    /** Fails with what is wrong with the file where it has none. */
    static SSLContext of(Path file) throws IOException {
        try {
            return trusting(read(file));
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException("--trust: found no certificates in " + file + ", expected a PEM file with some", e);
        }
    }

    private static Collection<? extends Certificate> read(Path file) throws GeneralSecurityException, IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
    }

    private static SSLContext trusting(Collection<? extends Certificate> certificates)
            throws GeneralSecurityException, IOException {
        if (certificates.isEmpty()) {
            throw new CertificateException("there is none");
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (Certificate certificate : certificates) {
            store.setCertificateEntry(Integer.toString(store.size()), certificate);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
