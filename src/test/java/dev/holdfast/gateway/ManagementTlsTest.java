package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.http.Certificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The management port with TLS, asked by the command line. */
@Timeout(60)
final class ManagementTlsTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path directory;

    private static Verb ledger(String url, String... more) {
        List<String> arguments = new ArrayList<>(List.of("ledger", "--management", url, "--token", TOKEN));
        arguments.addAll(List.of(more));
        return Verb.offline(arguments.toArray(String[]::new));
    }

    @Test
    void theCommandLineAsksWhereItTrustsTheCertificate() throws Exception {
        Certificate certificate = Certificate.make(directory);
        GatewaySettings settings = new GatewaySettings()
                .management("host: 0.0.0.0")
                .management("token: " + TOKEN)
                .management("tls: {certificate: \"" + certificate.chain() + "\", key: \"" + certificate.key() + "\"}");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            String url = "https://localhost:" + gateway.gateway().managementPort();
            Path empty = Files.writeString(directory.resolve("no.pem"), "");

            Verb trusting = ledger(url, "--trust", certificate.chain().toString());
            Verb stranger = ledger(url);
            Verb wrong = ledger(url, "--trust", empty.toString());
            Verb missing = ledger(url, "--trust", directory.resolve("missing").toString());
            Verb plain = ledger(url.replace("https:", "http:"));
            Verb other = ledger(
                    url.replace("localhost", "127.0.0.1"),
                    "--trust",
                    certificate.chain().toString());

            assertThat(trusting.status()).as(trusting.err()).isZero();
            assertThat(stranger.status()).isEqualTo(1);
            assertThat(stranger.err()).contains("found no certificate that is trusted at " + url, "--trust FILE");
            assertThat(other.err())
                    .contains("found no TLS that can be used at https://127.0.0.1:", "No subject alternative names")
                    .doesNotContain("--trust");
            assertThat(wrong.err()).contains("--trust: found no certificates in ", "expected a PEM file with some");
            assertThat(missing.err()).contains("--trust: found no file that can be read at " + directory);
            assertThat(plain.err()).contains("found no gateway at http:", "https where it has management.tls");
        }
    }

    @Test
    void aPortWithoutTlsIsNotSaidToHaveAWrongCertificate() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            String url = "https://localhost:" + gateway.gateway().managementPort();

            assertThat(ledger(url).err()).contains("found no gateway at " + url).doesNotContain("certificate");
        }
    }
}
