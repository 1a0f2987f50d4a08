package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.consumer.http.Certificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
    private static final String STRONG = "0123456789abcdef-strong";
    private static final String MINIMAL = """
            receiver:
              endpoints:
                - name: default
                  path: /webhook
                  secrets: ["0123456789abcdef-strong"]
            """;

    @TempDir
    Path directory;

    @Test
    void leavesEverythingButTheEndpointToDefaults() throws IOException {
        assertThat(load(MINIMAL, Map.of()))
                .isEqualTo(new HoldfastConfig(
                        new ReceiverConfig(
                                "0.0.0.0",
                                8080,
                                List.of(new EndpointConfig(
                                        "default", "/webhook", List.of(new Secret(STRONG)), "Service-Signature")),
                                8L << 20,
                                128L << 20,
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(75),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(30),
                                null,
                                false),
                        new JournalConfig(
                                Path.of("data"),
                                Duration.ofDays(7),
                                50L << 30,
                                1L << 30,
                                256L << 20,
                                Duration.ofSeconds(10)),
                        new DeadLettersConfig(100_000, Duration.ofDays(30)),
                        new QuarantineConfig(1L << 30, Duration.ofDays(7), 1L << 20),
                        new PlatformConfig(null, "visitor.updated"),
                        Path.of("plugins"),
                        List.of(),
                        null,
                        new ManagementConfig(
                                "127.0.0.1", 8081, null, "token", List.of(), null, false, List.of("health")),
                        new LoggingConfig("info")));
    }

    @Test
    void givesAConsumerItsDefaults() throws IOException {
        String consumer = """
                consumers:
                  - {name: mine, events: ["*"], verticle: log}
                """;

        assertThat(load(MINIMAL + consumer, Map.of()).consumers())
                .containsExactly(new ConsumerConfig(
                        "mine",
                        List.of("*"),
                        "log",
                        ConsumerConfig.Start.EARLIEST,
                        List.of(),
                        16,
                        1,
                        ConsumerConfig.Threading.WORKER,
                        Duration.ofSeconds(30),
                        new RetryConfig(
                                Duration.ofMillis(200), 2.0, Duration.ofMinutes(1), 0.5, null, Duration.ofDays(3)),
                        Duration.ofDays(14),
                        Map.of()));
    }

    @Test
    void readsEveryKey() throws Exception {
        Certificate certificate = Certificate.make(directory);
        HoldfastConfig config = load(
                """
                receiver:
                  host: 127.0.0.1
                  port: 0
                  endpoints:
                    - {name: a, path: /a, secrets: [0123456789abcdef1, 0123456789abcdef2], signature-header: X-Brand}
                    - {name: b, path: /b/c, secrets: [0123456789abcdef3]}
                  max-body: 1024
                  max-in-flight: 64KiB
                  header-timeout: 1s
                  body-timeout: 500ms
                  idle-timeout: 5m
                  drain-delay: 0s
                  drain-timeout: 1h
                  tls: {certificate: "${CRT}", key: "${KEY}"}
                  http2: true
                journal: {directory: /var/lib/holdfast, retention: 30d, max-size: 1GiB, reserve: 512B, set-aside: 1MiB,
                  sync-timeout: 2s}
                dead-letters: {max-count: 500, max-age: 2d}
                quarantine: {max-size: 64MiB, max-age: 3d, max-body: 512B}
                platform: {client-field: customer, visitor-updated-event: guest.changed}
                plugins: jars
                consumers:
                  - name: mine
                    events: [client.deleted, "guest.*"]
                    verticle: com.example.Mine
                    start: latest
                    order-by: [/conversation/id, /a~1b]
                    concurrency: 4
                    instances: 2
                    threading: event-loop
                    timeout: 2s
                    retry: {first-delay: 1s, factor: 1.5, max-delay: 2s, jitter: 0, max-attempts: 7, max-age: 4h}
                    hold: 400d
                    options: {url: "https://${HOST}/", tries: 3, quick: true, list: [1, two], map: {deep: 1.5}}
                management: {host: localhost, port: 9000, token: 0123456789abcdef4, token-name: ann,
                  hosts: [gateway.internal, "[fd00::8]"], tls: {certificate: "${CRT}", key: "${KEY}"}, insecure: true,
                  public: [metrics, health]}
                logging: {level: debug}
                """,
                Map.of(
                        "HOST",
                        "example.org",
                        "CRT",
                        certificate.chain().toString(),
                        "KEY",
                        certificate.key().toString()));

        assertThat(config)
                .isEqualTo(new HoldfastConfig(
                        new ReceiverConfig(
                                "127.0.0.1",
                                0,
                                List.of(
                                        new EndpointConfig(
                                                "a",
                                                "/a",
                                                List.of(
                                                        new Secret("0123456789abcdef1"),
                                                        new Secret("0123456789abcdef2")),
                                                "X-Brand"),
                                        new EndpointConfig(
                                                "b",
                                                "/b/c",
                                                List.of(new Secret("0123456789abcdef3")),
                                                "Service-Signature")),
                                1024,
                                65536,
                                Duration.ofSeconds(1),
                                Duration.ofMillis(500),
                                Duration.ofMinutes(5),
                                Duration.ZERO,
                                Duration.ofHours(1),
                                new TlsConfig(
                                        certificate.chain(),
                                        certificate.key(),
                                        TlsIdentity.read(certificate.chain(), certificate.key())),
                                true),
                        new JournalConfig(
                                Path.of("/var/lib/holdfast"),
                                Duration.ofDays(30),
                                1L << 30,
                                512,
                                1L << 20,
                                Duration.ofSeconds(2)),
                        new DeadLettersConfig(500, Duration.ofDays(2)),
                        new QuarantineConfig(64L << 20, Duration.ofDays(3), 512),
                        new PlatformConfig("customer", "guest.changed"),
                        Path.of("jars"),
                        List.of(new ConsumerConfig(
                                "mine",
                                List.of("client.deleted", "guest.*"),
                                "com.example.Mine",
                                ConsumerConfig.Start.LATEST,
                                List.of("/conversation/id", "/a~1b"),
                                4,
                                2,
                                ConsumerConfig.Threading.EVENT_LOOP,
                                Duration.ofSeconds(2),
                                new RetryConfig(
                                        Duration.ofSeconds(1), 1.5, Duration.ofSeconds(2), 0, 7, Duration.ofHours(4)),
                                Duration.ofDays(400),
                                Map.of(
                                        "url",
                                        "https://example.org/",
                                        "tries",
                                        3,
                                        "quick",
                                        true,
                                        "list",
                                        List.of(1, "two"),
                                        "map",
                                        Map.of("deep", 1.5)))),
                        null,
                        new ManagementConfig(
                                "localhost",
                                9000,
                                new Secret("0123456789abcdef4"),
                                "ann",
                                List.of("gateway.internal", "[fd00::8]"),
                                new TlsConfig(
                                        certificate.chain(),
                                        certificate.key(),
                                        TlsIdentity.read(certificate.chain(), certificate.key())),
                                true,
                                List.of("metrics", "health")),
                        new LoggingConfig("debug")));
    }

    @Test
    void loadsTheSameFileToEqualRecords() throws IOException {
        assertThat(load(MINIMAL, Map.of()))
                .isEqualTo(load(MINIMAL, Map.of()))
                .hasSameHashCodeAs(load(MINIMAL, Map.of()));
        assertThat(load(MINIMAL, Map.of())).isNotEqualTo(load(MINIMAL.replace(STRONG, STRONG + "2"), Map.of()));
    }

    @Test
    void takesAnEmptySectionForOneThatIsLeftOut() throws IOException {
        assertThat(load(MINIMAL + "management:\njournal: {}\nconsumers:\nplatform: ~\n", Map.of()))
                .isEqualTo(load(MINIMAL, Map.of()));
    }

    @Test
    void warnsOfASecretThatCanBeGuessed() throws IOException {
        Path file = write(MINIMAL.replace(
                "[\"" + STRONG + "\"]",
                "\n        - fifteen-bytes-x\n        - sixteen-bytes-xx"
                        + "\n        - 0123456789abcdef0123456789abcde\n        - 0123456789abcdef0123456789abcdef"));

        assertThat(ConfigLoader.read(file, Map.of()).warnings())
                .containsExactly(
                        file + ":6: receiver.endpoints[0].secrets[0]: found a secret of less than 128 bits,"
                                + " expected more: one push tells enough to guess it",
                        file + ":8: receiver.endpoints[0].secrets[2]: found a secret of less than 128 bits,"
                                + " expected more: one push tells enough to guess it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3cret-s3cret-s3cret\n",
                " s3cret-s3cret-s3cret",
                "\ts3cret-s3cret-s3cret\r\n",
                "s3cret-s3cret-s3cret "
            })
    void warnsOfWhiteSpaceAroundASecretAndKeepsIt(String secret) throws IOException {
        Path file = write(MINIMAL.replace("\"" + STRONG + "\"", "\"${SOLID}\", \"${SECRET}\""));

        LoadedConfig loaded = ConfigLoader.read(file, Map.of("SOLID", "with blanks only inside", "SECRET", secret));

        assertThat(loaded.config().receiver().endpoints().get(0).secrets().get(1))
                .isEqualTo(new Secret(secret));
        assertThat(loaded.warnings())
                .containsExactly(file + ":5: receiver.endpoints[0].secrets[1]: found a secret that begins or ends with"
                        + " white space, expected none around it: it counts as a part of the secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "\"::\"", "10.0.0.7", "gateway.internal", "1270.0.0.1", "localhost.example"})
    void refusesAManagementPortThatOthersCanReachWithoutATokenAndTls(String host) throws IOException {
        Path file = write(MINIMAL + "management: {host: " + host + "}\n");

        assertThatThrownBy(() -> ConfigLoader.read(file, Map.of()))
                .hasMessageContaining(
                        "management.host: found an address others can reach and no token, expected a token of at"
                                + " least 32 characters")
                .hasMessageContaining("management.host: found an address others can reach and no tls, expected tls");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.8.7", "localhost", "\"::1\"", "\"[::1]\""})
    void takesALoopbackAddressWithoutThem(String host) throws IOException {
        assertThat(load(MINIMAL + "management: {host: " + host + "}\n", Map.of())
                        .management()
                        .token())
                .isNull();
    }

    @Test
    void refusesAShortTokenWhereOthersCanTryTheirs() throws IOException {
        Path file = write(MINIMAL + "management: {host: 0.0.0.0, insecure: true, token: " + "s3cret".repeat(5) + "}\n");

        assertThatThrownBy(() -> ConfigLoader.read(file, Map.of()))
                .hasMessageContaining(
                        "management.token: found a token of 30 characters, expected a token of at least 32")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void takesALongTokenOnAnyAddressWhenToldThatPlainHttpIsMeant() throws IOException {
        String token = "0123456789abcdef0123456789abcdef";
        Path file = write(MINIMAL + "management: {host: 0.0.0.0, insecure: true, token: " + token + "}\n");

        assertThat(ConfigLoader.read(file, Map.of()).warnings()).isEmpty();
    }

    @Test
    void readsThatNothingIsPublic() throws IOException {
        assertThat(load(MINIMAL + "management: {public: []}\n", Map.of())
                        .management()
                        .publicParts())
                .isEmpty();
    }

    @Test
    void showsEveryProblemOfTheFileInItsOrder() throws IOException {
        Path file = write(MINIMAL.replace("/webhook", "webhook") + "journal: {retention: long}\nplugin: x\n");

        ConfigException failure = catchThrowableOfType(ConfigException.class, () -> ConfigLoader.read(file, Map.of()));

        assertThat(failure.problems())
                .containsExactly(
                        file + ":4: receiver.endpoints[0].path: found \"webhook\", expected a path such as /webhook",
                        file + ":6: journal.retention: found \"long\", expected a duration such as 30s",
                        file + ":7: plugin: found an unknown key (did you mean plugins?),"
                                + " expected one of: receiver, journal, dead-letters, quarantine, platform, plugins, consumers, token, management, logging");
        assertThat(failure).hasMessage(String.join("\n", failure.problems()));
    }

    private HoldfastConfig load(String yaml, Map<String, String> environment) throws IOException {
        return ConfigLoader.read(write(yaml), environment).config();
    }

    private Path write(String yaml) throws IOException {
        return Files.writeString(directory.resolve("holdfast.yaml"), yaml);
    }
}
