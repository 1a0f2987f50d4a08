package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.consumer.http.Certificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void givesAConsumerAThreadOfItsOwnButTheForwarder() throws IOException {
        String consumers = """
                consumers:
                  - {name: mine, events: ["*"], verticle: log}
                  - {name: theirs, events: ["*"], verticle: http}
                """;

        assertThat(load(MINIMAL + consumers, Map.of()).consumers())
                .extracting(ConsumerConfig::threading)
                .containsExactly(ConsumerConfig.Threading.WORKER, ConsumerConfig.Threading.EVENT_LOOP);
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

        assertThat(EffectiveConfig.render(config))
                .isEqualTo("""
                receiver.host: 127.0.0.1
                receiver.port: 0
                receiver.endpoints[0].name: a
                receiver.endpoints[0].path: /a
                receiver.endpoints[0].secrets: [********, ********]
                receiver.endpoints[0].signature-header: X-Brand
                receiver.endpoints[1].name: b
                receiver.endpoints[1].path: /b/c
                receiver.endpoints[1].secrets: [********]
                receiver.endpoints[1].signature-header: Service-Signature
                receiver.max-body: 1KiB
                receiver.max-in-flight: 64KiB
                receiver.header-timeout: 1s
                receiver.body-timeout: 500ms
                receiver.idle-timeout: 5m
                receiver.drain-delay: 0s
                receiver.drain-timeout: 1h
                receiver.tls.certificate: CRT
                receiver.tls.key: KEY
                receiver.http2: true
                journal.directory: /var/lib/holdfast
                journal.retention: 30d
                journal.max-size: 1GiB
                journal.reserve: 512B
                journal.set-aside: 1MiB
                journal.sync-timeout: 2s
                dead-letters.max-count: 500
                dead-letters.max-age: 2d
                quarantine.max-size: 64MiB
                quarantine.max-age: 3d
                quarantine.max-body: 512B
                platform.client-field: customer
                platform.visitor-updated-event: guest.changed
                plugins: jars
                consumers[0].name: mine
                consumers[0].events: [client.deleted, guest.*]
                consumers[0].verticle: com.example.Mine
                consumers[0].start: latest
                consumers[0].order-by: [/conversation/id, /a~1b]
                consumers[0].concurrency: 4
                consumers[0].instances: 2
                consumers[0].threading: event-loop
                consumers[0].timeout: 2s
                consumers[0].retry.first-delay: 1s
                consumers[0].retry.factor: 1.5
                consumers[0].retry.max-delay: 2s
                consumers[0].retry.jitter: 0.0
                consumers[0].retry.max-attempts: 7
                consumers[0].retry.max-age: 4h
                consumers[0].hold: 400d
                consumers[0].options: {list=********, map=********, quick=********, tries=********, url=********}
                management.host: localhost
                management.port: 9000
                management.token: ********
                management.token-name: ann
                management.hosts: [gateway.internal, [fd00::8]]
                management.tls.certificate: CRT
                management.tls.key: KEY
                management.insecure: true
                management.public: [metrics, health]
                logging.level: debug""".replace("CRT", certificate.chain().toString())
                        .replace("KEY", certificate.key().toString()));
        assertThat(config.receiver().endpoints().get(0).secrets())
                .containsExactly(new Secret("0123456789abcdef1"), new Secret("0123456789abcdef2"));
        assertThat(config.management().token()).isEqualTo(new Secret("0123456789abcdef4"));
        assertThat(config.consumers().get(0).options())
                .isEqualTo(Map.of(
                        "url",
                        "https://example.org/",
                        "tries",
                        3,
                        "quick",
                        true,
                        "list",
                        List.of(1, "two"),
                        "map",
                        Map.of("deep", 1.5)));
    }

    /** Such as a key of digits in a header: YAML takes a number that begins with 0 for an octal one. */
    @Test
    void anOptionOfAShippedConsumerIsWhatIsWritten() throws IOException {
        assertThat(options("http")).isEqualTo(Map.of("a", "0123", "b", "1.10", "c", "+49", "d", 17, "e", true));
        assertThat(options("example.Own")).isEqualTo(Map.of("a", 83, "b", 1.1, "c", 49, "d", 17, "e", true));
    }

    private Map<String, Object> options(String verticle) throws IOException {
        String consumers = "consumers: [{name: one, events: ['*'], verticle: " + verticle + ", options: "
                + "{a: 0123, b: 1.10, c: +49, d: 17, e: true}}]\n";
        return load(MINIMAL + consumers, Map.of()).consumers().get(0).options();
    }

    @Test
    void loadsTheSameFileToEqualRecords() throws IOException {
        assertThat(load(MINIMAL, Map.of()))
                .isEqualTo(load(MINIMAL, Map.of()))
                .hasSameHashCodeAs(load(MINIMAL, Map.of()));
        assertThat(load(MINIMAL, Map.of())).isNotEqualTo(load(MINIMAL.replace(STRONG, STRONG + "2"), Map.of()));
    }

    /** However deep a regular expression would have to go for it. */
    @Test
    void readsValuesOfAnyLength() throws IOException {
        String parts = ".a".repeat(10_000);
        String more = "platform: {visitor-updated-event: a" + parts + "}\nmanagement: {hosts: [a" + parts
                + "]}\nconsumers:\n" + "  - {name: mine, events: [a" + parts + "], verticle: a" + parts
                + ", order-by: [/a" + parts + "]}\n";

        HoldfastConfig config = load(MINIMAL.replace("/webhook", "/webhook" + parts) + more, Map.of());

        assertThat(config.receiver().endpoints().get(0).path()).isEqualTo("/webhook" + parts);
        assertThat(config.consumers().get(0).verticle()).isEqualTo("a" + parts);
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

    @Test
    void warnsOfAFamilyThatIsWrittenAsAnEvent() throws IOException {
        Path file = write(
                MINIMAL
                        + "consumers:\n  - {name: c, verticle: log, events: [\"*\", client.created, client, conversation.*]}\n");

        assertThat(ConfigLoader.read(file, Map.of()).warnings())
                .containsExactly(
                        file + ":7: consumers[0].events[2]: found client, expected client.* if its family is meant:"
                                + " only an event of just this name matches");
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
    @ValueSource(
            strings = {"127.1", "::", "[::]", "::ffff:127.0.0.1", "fe80::1%eth0", "[fe80::1%2]", "my_host.internal."})
    void listensOnWhateverCanBeAnAddress(String host) throws IOException {
        assertThat(load(MINIMAL + "  host: \"" + host + "\"\n", Map.of())
                        .receiver()
                        .host())
                .isEqualTo(host);
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
