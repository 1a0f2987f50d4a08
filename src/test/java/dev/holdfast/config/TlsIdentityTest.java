package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consumer.http.Certificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
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

    /** The octet string at the end of PKCS #8 is what the older forms consist of. */
    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void aKeyInAnOlderFormBelongsToItsCertificate(String algorithm) throws Exception {
        Certificate made = made("gateway", algorithm);
        byte[] pkcs8 =
                Base64.getMimeDecoder().decode(Files.readString(made.key()).replaceAll("-----[^-]*-----", ""));
        // Behind the identifier of the algorithm, a tag and a length.
        String hex = HexFormat.of().formatHex(pkcs8);
        int start = algorithm.equals("RSA")
                ? hex.indexOf("0500") / 2 + 2 + 4
                : hex.indexOf("2b81040023") >= 0 || hex.indexOf("2b81040022") >= 0
                        ? hex.indexOf("2b810400") / 2 + 5 + (pkcs8[hex.indexOf("2b810400") / 2 + 6] < 0 ? 3 : 2)
                        : hex.indexOf("2a8648ce3d0301") / 2 + 8 + 2;
        byte[] older = java.util.Arrays.copyOfRange(pkcs8, start, pkcs8.length);

        assertThat(older[0]).isEqualTo((byte) 0x30);
        Path key = Certificate.pem(directory.resolve("older.key"), algorithm + " PRIVATE KEY", older);
        assertThat(TlsIdentity.read(made.chain(), key)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1"})
    void aKeyAsOpensslWritesItBelongsToItsCertificate(String curve) throws Exception {
        Certificate made = made("gateway", curve).withOpensslKey(directory.resolve("openssl.key"));

        assertThat(NamedFiles.privateKey(made.key())).isNull();
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

    @Test
    void aKeyOfATypeThatNoConnectionCanBeMadeWithIsRefused() throws Exception {
        Certificate made = made("gateway", "Ed25519");

        assertThatThrownBy(() -> TlsIdentity.read(made.chain(), made.key()))
                .hasMessage("found " + made.chain() + " with a key of type EdDSA, expected one of type RSA or EC");
    }
}
