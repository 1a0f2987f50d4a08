package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.ConfigWatch;
import dev.holdfast.config.LoadedConfig;
import dev.holdfast.consumer.http.Certificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changed certificates of a gateway that runs, at both of its ports. */
@Timeout(60)
class ReloadTlsTest {
    private static final byte[] LIVEZ = bytes("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");

    private static Certificate first;
    private static Certificate second;

    @TempDir
    Path directory;

    private Certificate atReceiver;
    private Certificate atManagement;

    /** What is wrong with a certificate's files. */
    enum Fault {
        NO_CERTIFICATE(".certificate: found ") {
            @Override
            void in(Certificate files) throws IOException {
                Files.writeString(files.chain(), "none yet");
            }
        },
        KEY_OF_ANOTHER(".key: found ") {
            @Override
            void in(Certificate files) throws IOException {
                Files.copy(second.chain(), files.chain(), StandardCopyOption.REPLACE_EXISTING);
            }
        },
        /** In the form of SEC 1 (RFC 5915), whose curve only the certificate knows: a port can't use it. */
        KEY_WITHOUT_CURVE(".key: found ") {
            @Override
            void in(Certificate files) throws IOException {
                copy(second, files);
                byte[] pkcs8 = Base64.getMimeDecoder()
                        .decode(Files.readString(files.key()).replaceAll("-----[^-]+-----", ""));
                // Behind the version and the algorithm it is the content of an octet string.
                int algorithm = pkcs8[1] < 0 ? 6 + (pkcs8[1] & 0x7f) - 1 : 5;
                int content = algorithm + 2 + pkcs8[algorithm + 1] + 2;
                Files.writeString(
                        files.key(),
                        "-----BEGIN EC PRIVATE KEY-----\n"
                                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                        .encodeToString(Arrays.copyOfRange(pkcs8, content, pkcs8.length))
                                + "\n-----END EC PRIVATE KEY-----\n",
                        US_ASCII);
            }
        };

        private final String told;

        /** @param told behind the section's name, when it is refused */
        Fault(String told) {
            this.told = told;
        }

        abstract void in(Certificate files) throws IOException;
    }

    /** By processes of their own, which are not what a test's limit is for. */
    @BeforeAll
    static void makeCertificates(@TempDir Path certificates) throws Exception {
        first = Certificate.make(Files.createDirectory(certificates.resolve("first")));
        second = Certificate.make(Files.createDirectory(certificates.resolve("second")));
    }

    @BeforeEach
    void begin() throws IOException {
        atReceiver = new Certificate(directory.resolve("receiver.crt"), directory.resolve("receiver.key"));
        atManagement = new Certificate(directory.resolve("management.crt"), directory.resolve("management.key"));
        copy(first, atReceiver);
        copy(first, atManagement);
    }

    private static void copy(Certificate from, Certificate to) throws IOException {
        Files.copy(from.chain(), to.chain(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(from.key(), to.key(), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String tls(Certificate certificate) {
        return "tls: {certificate: \"" + certificate.chain() + "\", key: \"" + certificate.key() + "\"}";
    }

    private GatewaySettings settings() {
        return new GatewaySettings().receiver(tls(atReceiver)).management(tls(atManagement));
    }

    /** On the files that {@link #settings} names, as a hang-up makes it look at them. */
    private ConfigWatch watch(GatewayUnderTest gateway) throws IOException {
        Path file = directory.resolve("holdfast.yaml");
        Supplier<LoadedConfig> reader = () -> ConfigLoader.read(file, Map.of());
        return new ConfigWatch(reader, reader.get(), gateway.gateway().reload());
    }

    @Test
    void aCertificateThatEndsSoonIsTold() throws Exception {
        copy(Certificate.make(Files.createDirectory(directory.resolve("old")), "EC", 87, 3), atReceiver);
        GatewaySettings settings = new GatewaySettings().receiver(tls(atReceiver));
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            assertThat(gateway.management("/readyz").body())
                    .contains("\"notices\":[\"receiver.tls: the certificate is good only until ");
            assertThat(gateway.management("/api/v1/overview").body())
                    .contains(
                            "with 1 thing to look at", "\"text\":\"receiver.tls: the certificate is good only until ");

            copy(first, atReceiver);
            gateway.reconfigure(settings, directory);

            assertThat(gateway.management("/readyz").body()).contains("\"notices\":[]");
            assertThat(gateway.management("/api/v1/overview").body()).contains("All is well");
        }
    }

    @Test
    void aCertificateThatHasEndedIsCritical() throws Exception {
        copy(Certificate.make(Files.createDirectory(directory.resolve("old")), "EC", 87, -1), atReceiver);
        GatewaySettings settings = new GatewaySettings().receiver(tls(atReceiver));
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            assertThat(gateway.management("/api/v1/overview").body())
                    .contains("with 1 critical problem", "\"text\":\"receiver.tls: the certificate was good until ");
        }
    }

    @ParameterizedTest
    @CsvSource({"NO_CERTIFICATE, true", "KEY_OF_ANOTHER, false", "KEY_WITHOUT_CURVE, true"})
    void aBadCertificateAtOnePortChangesNothingAtEither(Fault fault, boolean badAtReceiver) throws Exception {
        Certificate bad = badAtReceiver ? atReceiver : atManagement;
        Certificate good = badAtReceiver ? atManagement : atReceiver;
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                LogLines log = LogLines.atWarn();
                TlsConnection pushes = TlsConnection.to(gateway.port());
                TlsConnection management = TlsConnection.to(gateway.gateway().managementPort())) {
            ConfigWatch watch = watch(gateway);
            copy(second, good);
            fault.in(bad);

            watch.load();

            assertThat(log.text())
                    .contains("the changed configuration is refused and the one before stays in force, all of it")
                    .contains((badAtReceiver ? "receiver.tls" : "management.tls") + fault.told)
                    .doesNotContain(badAtReceiver ? "management.tls" : "receiver.tls");
            assertThat(TlsConnection.shownAt(gateway.port())).isEqualTo(TlsConnection.in(first.chain()));
            assertThat(TlsConnection.shownAt(gateway.gateway().managementPort()))
                    .isEqualTo(TlsConnection.in(first.chain()));
            assertThat(pushes.answer(signed(envelope("client.created", 1)))).contains(" 200 ");
            assertThat(management.answer(LIVEZ)).contains(" 200 ");

            copy(second, bad);
            watch.load();

            assertThat(TlsConnection.shownAt(gateway.port())).isEqualTo(TlsConnection.in(second.chain()));
            assertThat(TlsConnection.shownAt(gateway.gateway().managementPort()))
                    .isEqualTo(TlsConnection.in(second.chain()));
            assertThat(pushes.answer(signed(envelope("client.created", 2)))).contains(" 200 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void anotherCertificateIsShownOnNewConnectionsWhileOpenOnesGoOn(String http2) throws Exception {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings().receiver("http2: " + http2), directory);
                TlsConnection open = TlsConnection.to(gateway.port())) {
            assertThat(open.shown()).isEqualTo(TlsConnection.in(first.chain()));
            assertThat(open.answer(signed(envelope("client.created", 1)))).contains(" 200 ");

            copy(second, atReceiver);
            gateway.reconfigure(settings().receiver("http2: " + http2), directory);

            assertThat(open.answer(signed(envelope("client.created", 2)))).contains(" 200 ");
            try (TlsConnection fresh = TlsConnection.to(gateway.port())) {
                assertThat(fresh.shown()).isEqualTo(TlsConnection.in(second.chain()));
                assertThat(fresh.answer(signed(envelope("client.created", 3)))).contains(" 200 ");
            }
            if (http2.equals("true")) {
                try (TlsConnection offered = TlsConnection.to(gateway.port(), "h2")) {
                    assertThat(offered.protocol()).isEqualTo("h2");
                }
            }
        }
    }

    @Test
    void theManagementPortShowsAnotherCertificateToo() throws Exception {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(), directory);
                LogLines log = LogLines.atInfo();
                TlsConnection open = TlsConnection.to(gateway.gateway().managementPort())) {
            assertThat(open.shown()).isEqualTo(TlsConnection.in(first.chain()));
            assertThat(open.answer(LIVEZ)).contains(" 200 ");

            copy(second, atManagement);
            gateway.reconfigure(settings(), directory);

            assertThat(log.text())
                    .contains("the changed configuration is in force")
                    .doesNotContain("needs a restart");
            assertThat(open.answer(LIVEZ)).contains(" 200 ");
            try (TlsConnection fresh = TlsConnection.to(gateway.gateway().managementPort())) {
                assertThat(fresh.shown()).isEqualTo(TlsConnection.in(second.chain()));
                assertThat(fresh.answer(LIVEZ)).contains(" 200 ");
            }
        }
    }
}
