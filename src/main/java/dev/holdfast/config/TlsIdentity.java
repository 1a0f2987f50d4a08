package dev.holdfast.config;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.X509KeyManager;
import javax.security.auth.x500.X500Principal;

/**
 * A certificate's chain and the key of its first certificate, with which a server, or a client that is asked,
 * identifies itself. Two are equal if their files had the same content. Its {@link #toString} says whose certificate it
 * is, and nothing of the key.
 *
 * @param chain PEM
 * @param key PEM, unencrypted
 */
public record TlsIdentity(String chain, Secret key) {
    private static final String EXPECTED = "the private key that the certificate was made for";
    /** Signature algorithms by the types of keys that Vert.x can read. */
    private static final Map<String, String> SIGNATURES = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

    /**
     * Reads both files.
     *
     * @throws InvalidValue when one is not of its kind, the certificates are in another order than a port needs, the key
     *     belongs to another certificate (as while one file is replaced and the other not yet), or has a type that no
     *     connection can be made with
     */
    static TlsIdentity read(Path certificate, Path key) throws InvalidValue {
        try {
            TlsIdentity identity =
                    new TlsIdentity(NamedFiles.certificates(certificate), new Secret(NamedFiles.privateKey(key)));
            checkOrder(certificate, NamedFiles.certificatesIn(identity.chain));
            PublicKey publicKey = identity.first().getPublicKey();
            String algorithm = SIGNATURES.get(publicKey.getAlgorithm());
            if (algorithm == null) {
                throw new InvalidValue(
                        certificate + " with a key of type " + publicKey.getAlgorithm(), "one of type RSA or EC");
            }
            if (!identity.belongsTogether(publicKey, algorithm)) {
                throw new InvalidValue(key + ", which is not the key of " + certificate, EXPECTED);
            }
            return identity;
        } catch (GeneralSecurityException e) {
            throw new InvalidValue(
                    key + ", which is of another kind than " + certificate + ", or of a form that no port can use",
                    EXPECTED);
        }
    }

    private static void checkOrder(Path file, List<X509Certificate> chain) throws InvalidValue {
        for (int i = 1; i < chain.size(); i++) {
            X500Principal issuer = chain.get(i - 1).getIssuerX500Principal();
            X500Principal next = chain.get(i).getSubjectX500Principal();
            if (!next.equals(issuer)) {
                throw new InvalidValue(
                        file + ", where " + next.getName() + " follows a certificate issued by " + issuer.getName(),
                        "the certificate of the key first, and behind each one that of its issuer");
            }
        }
    }

    private boolean belongsTogether(PublicKey publicKey, String algorithm) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(privateKey(publicKey.getAlgorithm()));
        byte[] signed = signature.sign();
        signature.initVerify(publicKey);
        return signature.verify(signed);
    }

    /**
     * Reads the key with Vert.x's own reader, as it will for connections. That needs no running Vert.x, since there are
     * no files to resolve.
     */
    private PrivateKey privateKey(String type) throws GeneralSecurityException {
        try {
            X509KeyManager keys =
                    (X509KeyManager) pem().getKeyManagerFactory(null).getKeyManagers()[0];
            return keys.getPrivateKey(keys.getServerAliases(type, null)[0]);
        } catch (Exception e) {
            // Vert.x declares no other.
            throw new GeneralSecurityException(e);
        }
    }

    /** The options for opening a port or a client. */
    public PemKeyCertOptions pem() {
        return new PemKeyCertOptions().setCertValue(Buffer.buffer(chain)).setKeyValue(Buffer.buffer(key.reveal()));
    }

    /** When the certificate ends, after which clients refuse it. */
    public Instant goodUntil() {
        return first().getNotAfter().toInstant();
    }

    /** When the certificate begins, before which clients refuse it. */
    public Instant goodFrom() {
        return first().getNotBefore().toInstant();
    }

    /** Whether clients that connect then don't refuse it for its time. */
    public boolean isGoodAt(Instant time) {
        return !time.isBefore(goodFrom()) && time.isBefore(goodUntil());
    }

    /** The whole time for which it is good. */
    public Duration lifetime() {
        return Duration.between(goodFrom(), goodUntil());
    }

    private X509Certificate first() {
        try {
            return NamedFiles.certificatesIn(chain).get(0);
        } catch (CertificateException e) {
            throw new IllegalStateException("this Java can't read again a certificate that it has read", e);
        }
    }

    @Override
    public String toString() {
        return first().getSubjectX500Principal().getName() + ", good until " + goodUntil();
    }
}
