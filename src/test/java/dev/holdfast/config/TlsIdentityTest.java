package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consumer.http.Certificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsIdentityTest {
    @TempDir
    Path directory;

    private Certificate made(String name, String algorithm) throws Exception {
        return Certificate.make(Files.createDirectory(directory.resolve(name)), algorithm);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void aKeyBelongsToItsCertificate(String algorithm) throws Exception {
        Certificate made = made("gateway", algorithm);

        assertThat(TlsIdentity.read(made.chain(), made.key()))
                .isEqualTo(TlsIdentity.read(made.chain(), made.key()))
                .asString()
                .startsWith("CN=localhost, good until ")
                .doesNotContain("BEGIN");
    }

    /** PKCS #1 is the octet string at the end of PKCS #8, behind the identifier of the algorithm. */
    @Test
    void aKeyInAnOlderFormBelongsToItsCertificate() throws Exception {
        Certificate made = made("gateway", "RSA");
        byte[] pkcs8 =
                Base64.getMimeDecoder().decode(Files.readString(made.key()).replaceAll("-----[^-]*-----", ""));
        int start = HexFormat.of().formatHex(pkcs8).indexOf("0500") / 2 + 2 + 4;
        byte[] older = Arrays.copyOfRange(pkcs8, start, pkcs8.length);

        Path key = Certificate.pem(directory.resolve("older.key"), "RSA PRIVATE KEY", older);
        assertThat(TlsIdentity.read(made.chain(), key)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1"})
    void aKeyAsOpensslWritesItBelongsToItsCertificate(String curve) throws Exception {
        Certificate made = made("gateway", curve).withOpensslKey(directory.resolve("openssl.key"));

        assertThat(NamedFiles.privateKey(made.key())).contains("EC PRIVATE KEY");
        assertThat(TlsIdentity.read(made.chain(), made.key())).isNotNull();
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() throws Exception {
        Certificate one = made("one", "EC");
        Certificate other = made("other", "EC");

        assertThatThrownBy(() -> TlsIdentity.read(one.chain(), other.key()))
                .hasMessage("found " + other.key() + ", which is not the key of " + one.chain()
                        + ", expected the private key that the certificate was made for");
    }

    @Test
    void aKeyOfAnotherKindIsRefused() throws Exception {
        Certificate one = made("one", "EC");
        Certificate other = made("other", "RSA");

        assertThatThrownBy(() -> TlsIdentity.read(one.chain(), other.key()))
                .hasMessageContaining("which is of another kind than " + one.chain());
    }

    /** The authority first, or another than the issuer. */
    @Test
    void certificatesInAnotherOrderAreRefusedForThat() throws Exception {
        Certificate made = made("gateway", "EC");
        X509Certificate authority = Arrays.stream(anyTrust().getAcceptedIssuers())
                .min(Comparator.comparing(issuer -> issuer.getSerialNumber()))
                .orElseThrow();
        String name = authority.getSubjectX500Principal().getName();
        String own = Files.readString(made.chain());
        String other = Files.readString(
                Certificate.pem(directory.resolve("authority.crt"), "CERTIFICATE", authority.getEncoded()));
        String expected = ", expected the certificate of the key first, and behind each one that of its issuer";

        Files.writeString(made.chain(), other + own);
        assertThatThrownBy(() -> TlsIdentity.read(made.chain(), made.key()))
                .hasMessage("found " + made.chain() + ", where CN=localhost follows a certificate issued by " + name
                        + expected);
        Files.writeString(made.chain(), own + other);
        assertThatThrownBy(() -> TlsIdentity.read(made.chain(), made.key()))
                .hasMessage("found " + made.chain() + ", where " + name
                        + " follows a certificate issued by CN=localhost" + expected);
    }

    private static X509TrustManager anyTrust() throws Exception {
        TrustManagerFactory java = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        java.init((KeyStore) null);
        return (X509TrustManager) java.getTrustManagers()[0];
    }

    /** Such as one that is being replaced, after it was looked at. */
    @Test
    void aFileThatIsOfAnotherKindIsRefused() throws Exception {
        Certificate made = made("gateway", "EC");

        assertThatThrownBy(() -> TlsIdentity.read(made.key(), made.key()))
                .hasMessage("found " + made.key() + ", which has no certificate in it, expected a PEM file with"
                        + " certificates");
    }

    @Test
    void aKeyOfATypeThatNoConnectionCanBeMadeWithIsRefused() throws Exception {
        Certificate made = made("gateway", "Ed25519");

        assertThatThrownBy(() -> TlsIdentity.read(made.chain(), made.key()))
                .hasMessage("found " + made.chain() + " with a key of type EdDSA, expected one of type RSA or EC");
    }
}
