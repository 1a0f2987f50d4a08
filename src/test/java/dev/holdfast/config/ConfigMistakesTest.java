package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One mistake at a time: the error names file, line, key, found and expected, and no secret. */
class ConfigMistakesTest {
    private static final String SECRET = "0123456789-very-secret";
    private static final Map<String, String> ENVIRONMENT =
            Map.of("SECRET", SECRET, "EMPTY", "", "MANGLED", "pass\uFFFD\uFFFDword");
    private static final String RECEIVER = """
            receiver:
              endpoints:
                - name: default
                  path: /webhook
                  secrets: ["${SECRET}"]
            """;

    @TempDir
    Path directory;

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void namesWhatIsWrongWithASetting(String yaml, String expected) throws IOException {
        assertThat(mistake(RECEIVER + yaml + "\n")).isEqualTo(expected);
    }

    /** What follows line 5. */
    static Stream<Arguments> namesWhatIsWrongWithASetting() {
        return Stream.of(
                arguments(
                        "  max-body: 8 apples",
                        "6: receiver.max-body: found \"8 apples\", expected a size such as 8MiB"),
                arguments("  max-body: 8MB", "6: receiver.max-body: found \"8MB\", expected a size such as 8MiB"),
                arguments("  max-body: 0", "6: receiver.max-body: found \"0\", expected a size from 1B to 1GiB"),
                arguments("  max-body: 2GiB", "6: receiver.max-body: found \"2GiB\", expected a size from 1B to 1GiB"),
                arguments("  max-body: [1]", "6: receiver.max-body: found a list, expected a size such as 8MiB"),
                arguments("  max-body: {a: 1}", "6: receiver.max-body: found a section, expected a size such as 8MiB"),
                arguments("  max-body:", "6: receiver.max-body: found nothing, expected a size such as 8MiB"),
                arguments(
                        "  max-body: \"8\\n8\"", "6: receiver.max-body: found \"8\\n8\", expected a size such as 8MiB"),
                arguments(
                        "  max-in-flight: 1MiB",
                        "6: receiver.max-in-flight: found 1MiB, expected at least max-body, which is 8MiB"),
                arguments(
                        "  max-in-flight: 9999999999GiB",
                        "6: receiver.max-in-flight: found \"9999999999GiB\", expected a size such as 8MiB"),
                arguments(
                        "  body-timeout: 30",
                        "6: receiver.body-timeout: found \"30\", expected a duration such as 30s"),
                arguments(
                        "  body-timeout: -1s",
                        "6: receiver.body-timeout: found \"-1s\", expected a duration such as 30s"),
                arguments(
                        "  body-timeout: 0s",
                        "6: receiver.body-timeout: found \"0s\", expected a duration longer than 0s"),
                arguments(
                        "  body-timeout: 99999999d",
                        "6: receiver.body-timeout: found \"99999999d\", expected a duration of at most 365d"),
                arguments(
                        "  drain-delay: 366d",
                        "6: receiver.drain-delay: found \"366d\", expected a duration of at most 365d"),
                arguments(
                        "journal: {retention: 3651d}",
                        "6: journal.retention: found \"3651d\", expected a duration of at most 3650d"),
                arguments(
                        "journal: {set-aside: 65GiB}",
                        "6: journal.set-aside: found \"65GiB\", expected a size from 0B to 64GiB"),
                arguments(
                        "consumers: [{name: a, events: [a], verticle: log, hold: 0s}]",
                        "6: consumers[0].hold: found \"0s\", expected a duration longer than 0s"),
                arguments("  port: http", "6: receiver.port: found \"http\", expected a port from 0 to 65535"),
                arguments("  port: 65536", "6: receiver.port: found \"65536\", expected a port from 0 to 65535"),
                arguments("  port: -1", "6: receiver.port: found \"-1\", expected a port from 0 to 65535"),
                arguments(
                        "  host: \"\"",
                        "6: receiver.host: found \"\", expected a host name or address without a port, such as 0.0.0.0"),
                arguments(
                        "  host: 127.0.0.1:8080",
                        "6: receiver.host: found \"127.0.0.1:8080\", expected a host name or address without a port, such as 0.0.0.0"),
                arguments(
                        "  host: localhost:8080",
                        "6: receiver.host: found \"localhost:8080\", expected a host name or address without a port, such as 0.0.0.0"),
                arguments(
                        "  host: \"*\"",
                        "6: receiver.host: found \"*\", expected a host name or address without a port, such as 0.0.0.0"),
                arguments(
                        "management: {host: \"[::1]:8081\"}",
                        "6: management.host: found \"[::1]:8081\", expected a host name or address without a port, such as 0.0.0.0"),
                arguments("  http2: yes", "6: receiver.http2: found \"yes\", expected true or false"),
                arguments("  tls: on", "6: receiver.tls: found a single value, expected a section"),
                arguments(
                        "  max-boddy: 1",
                        "6: receiver.max-boddy: found an unknown key (did you mean max-body?), expected one of: host, port, endpoints, max-body, max-in-flight, header-timeout, body-timeout, idle-timeout, drain-delay, drain-timeout, tls, http2"),
                arguments(
                        "journal: {reserves: 1}",
                        "6: journal.reserves: found an unknown key (did you mean reserve?), expected one of: directory, retention, max-size, reserve, set-aside, sync-timeout"),
                arguments(
                        "journal: {maxSize: 1GiB}",
                        "6: journal.maxSize: found an unknown key (did you mean max-size?), expected one of: directory, retention, max-size, reserve, set-aside, sync-timeout"),
                arguments(
                        "journal: {colour: red}",
                        "6: journal.colour: found an unknown key, expected one of: directory, retention, max-size, reserve, set-aside, sync-timeout"),
                arguments(
                        "management: {port: 1, token:S3cret-5ecret.s3cret}",
                        "6: management.token…: found an unknown key (the blank behind its colon is missing), expected one of: host, port, token, token-name, hosts, tls, insecure, public"),
                arguments(
                        "management: {port: 1, token=S3cret-5ecret.s3cret}",
                        "6: management.token…: found an unknown key (did you mean token?), expected one of: host, port, token, token-name, hosts, tls, insecure, public"),
                arguments(
                        "management: {port: 1, token S3cret-5ecret.s3cret}",
                        "6: management.token…: found an unknown key (did you mean token?), expected one of: host, port, token, token-name, hosts, tls, insecure, public"),
                arguments(
                        "dead-letters: {max-count: 0}",
                        "6: dead-letters.max-count: found \"0\", expected a whole number from 1 to 10000000"),
                arguments(
                        "dead-letters: {max-age: 3651d}",
                        "6: dead-letters.max-age: found \"3651d\", expected a duration of at most 3650d"),
                arguments(
                        "quarantine: {max-size: 1KiB}",
                        "6: quarantine.max-size: found \"1KiB\", expected a size from 1MiB to 1TiB"),
                arguments(
                        "quarantine: {max-size: 1MiB, max-body: 2MiB}",
                        "6: quarantine.max-size: found 1MiB, expected at least max-body, which is 2MiB"),
                arguments(
                        "quarantine: {max-age: 0s}",
                        "6: quarantine.max-age: found \"0s\", expected a duration longer than 0s"),
                arguments(
                        "quarantine: {max-count: 7}",
                        "6: quarantine.max-count: found an unknown key, expected one of: max-size, max-age, max-body"),
                arguments("journal: {directory: \" \"}", "6: journal.directory: found \" \", expected a path"),
                arguments(
                        "journal: {directory: \"a\\nkey\"}",
                        "6: journal.directory: found several lines, which are not shown, expected a path"),
                arguments("journal: {max-size: 1KiB}", "6: journal.max-size: found 1KiB, expected at least 256MiB"),
                arguments(
                        "  max-body: 512MiB\n  max-in-flight: 1GiB\njournal: {max-size: 256MiB}",
                        "8: journal.max-size: found 256MiB, expected at least receiver.max-body, which is 512MiB"),
                arguments("journal: [1]", "6: journal: found a list, expected a section"),
                arguments(
                        "platform: {visitor-updated-event: visitor.*}",
                        "6: platform.visitor-updated-event: found \"visitor.*\", expected an event such as visitor.updated"),
                arguments("plugins: \"\"", "6: plugins: found \"\", expected a path"),
                arguments(
                        "management: {token: \"S3cret \"}",
                        "6: management.token: found a secret that is not shown, expected visible ASCII, with blanks only inside: it is sent in a header"),
                arguments(
                        "management: {port: 8080}",
                        "6: management.port: found 8080, which is the receiver's, expected a port of its own"),
                arguments(
                        "  host: 127.0.0.1\nmanagement: {host: 127.0.0.2, port: 8080}",
                        "7: management.port: found 8080, which is the receiver's, expected a port of its own"),
                arguments(
                        "tokens: {app-id: x}",
                        "6: tokens: found an unknown key (did you mean token?), expected one of: receiver, journal, dead-letters, quarantine, platform, plugins, consumers, token, management, logging"),
                arguments("consumers: mine", "6: consumers: found a single value, expected a list"),
                arguments("consumers: [mine]", "6: consumers[0]: found a single value, expected a section"),
                arguments(
                        "plugins: ${NOT_THERE}",
                        "6: plugins: found ${NOT_THERE}, which is not set, expected the environment variable NOT_THERE or a default"),
                arguments(
                        "plugins: a${SECRET",
                        "6: plugins: found a \"${\" without its \"}\", expected ${NAME}, ${NAME:default} or ${file:/path}"),
                arguments(
                        "plugins: ${a b}",
                        "6: plugins: found a \"${...}\" without a variable's name, expected ${NAME}, ${NAME:default} or ${file:/path}"),
                arguments(
                        "plugins: ${MANGLED}",
                        "6: plugins: found ${MANGLED}, whose value this locale can't decode, expected a UTF-8 locale such as LC_ALL=C.UTF-8, or ${file:/path}"),
                arguments(
                        "plugins: ${file:/not/there}",
                        "6: plugins: found ${file:/not/there}, which does not exist, expected a readable file"),
                arguments(
                        "plugins: ${file:/}",
                        "6: plugins: found ${file:/}, which can't be read, expected a readable file"),
                arguments("plugins: *a", "6: plugins: found a YAML alias, expected the value itself"),
                arguments(
                        "receiver: {port: 1}",
                        "6: receiver: found the key a second time (the first is on line 1), expected it once"),
                arguments(
                        "  port: ${EMPTY}",
                        "6: receiver.port: found \"${EMPTY}\", which is empty, expected a port from 0 to 65535"),
                arguments(
                        "  drain-delay: ${NOT_THERE:}",
                        "6: receiver.drain-delay: found \"${NOT_THERE:}\", which is empty, expected a duration such as 30s"),
                arguments(
                        "  port: ${SECRET}",
                        "6: receiver.port: found \"${SECRET}\" (its value is not shown), expected a port from 0 to 65535"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway:8081",
                "cafe:80",
                "*.internal",
                "http://gateway",
                "[gateway]",
                "1:2:3",
                "[::1]:80",
                "fe80::1%eth0",
                ""
            })
    void noSuchTextIsAHostWithoutAPort(String host) throws IOException {
        assertThat(mistake(RECEIVER + "management: {hosts: [\"" + host + "\"]}\n"))
                .isEqualTo("6: management.hosts[0]: found \"" + host + "\", expected a host name or address without a"
                        + " port, such as gateway.internal");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void namesWhatIsWrongWithAConsumer(String consumer, String expected) throws IOException {
        assertThat(mistake(RECEIVER + "consumers:\n" + consumer)).isEqualTo(expected);
    }

    /** What follows line 6. */
    static Stream<Arguments> namesWhatIsWrongWithAConsumer() {
        return Stream.of(
                arguments(
                        "  - events: [\"*\"]\n    verticle: log\n",
                        "7: consumers[0].name: found nothing, expected a name of letters, digits, '.', '_' and '-'"),
                arguments(
                        "  - name: my own\n    events: [\"*\"]\n    verticle: log\n",
                        "7: consumers[0].name: found \"my own\", expected a name of letters, digits, '.', '_' and '-'"),
                arguments(
                        "  - name: mine\n    verticle: log\n",
                        "7: consumers[0].events: found nothing, expected a list, each of it an event such as client.created, a family such as client.*, or *"),
                arguments(
                        "  - name: mine\n    events: []\n    verticle: log\n",
                        "8: consumers[0].events: found an empty list, expected a list, each of it an event such as client.created, a family such as client.*, or *"),
                arguments(
                        "  - name: mine\n    events: client.*\n    verticle: log\n",
                        "8: consumers[0].events: found a single value, expected a list"),
                arguments(
                        "  - name: mine\n    events: [\"client*\"]\n    verticle: log\n",
                        "8: consumers[0].events[0]: found \"client*\", expected an event such as client.created, a family such as client.*, or *"),
                arguments(
                        "  - name: mine\n    events: [\"*.created\"]\n    verticle: log\n",
                        "8: consumers[0].events[0]: found \"*.created\", expected an event such as client.created, a family such as client.*, or *"),
                arguments(
                        "  - name: mine\n    events: [a.b, \"client.\"]\n    verticle: log\n",
                        "8: consumers[0].events[1]: found \"client.\", expected an event such as client.created, a family such as client.*, or *"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n",
                        "7: consumers[0].verticle: found nothing, expected a shipped consumer's short name or a class name"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: my class\n",
                        "9: consumers[0].verticle: found \"my class\", expected a shipped consumer's short name or a class name"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    start: first\n",
                        "10: consumers[0].start: found \"first\", expected earliest or latest"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    timeout: 0s\n",
                        "10: consumers[0].timeout: found \"0s\", expected a duration longer than 0s"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    retry: {factor: 0.5}\n",
                        "10: consumers[0].retry.factor: found \"0.5\", expected a number from 1.0 to 100.0"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    retry: {jitter: 2}\n",
                        "10: consumers[0].retry.jitter: found \"2\", expected a number from 0.0 to 1.0"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    retry: {jitter: .nan}\n",
                        "10: consumers[0].retry.jitter: found \".nan\", expected a number from 0.0 to 1.0"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    retry: {max-delay: 100ms}\n",
                        "10: consumers[0].retry.max-delay: found 100ms, expected at least first-delay, which is 200ms"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    options: [1]\n",
                        "10: consumers[0].options: found a list, expected a section"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    instances: 65\n",
                        "10: consumers[0].instances: found \"65\", expected a whole number from 1 to 64"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    threading: fibre\n",
                        "10: consumers[0].threading: found \"fibre\", expected worker, event-loop or virtual-thread"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: file\n    instances: 2\n",
                        "10: consumers[0].instances: found 2, expected 1: the files of file have one writer"),
                arguments(
                        "  - name: mine\n    events: [\"*\"]\n    verticle: log\n    options: {a: {b: [1, ~]}}\n",
                        "10: consumers[0].options.a.b[1]: found nothing, expected a value"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void namesWhatIsWrongWithAnEndpoint(String endpoint, String expected) throws IOException {
        assertThat(mistake("receiver:\n  endpoints:\n" + endpoint)).isEqualTo(expected);
    }

    /** What follows line 2. */
    static Stream<Arguments> namesWhatIsWrongWithAnEndpoint() {
        String path = "receiver.endpoints[0].path: found ";
        String secrets = "receiver.endpoints[0].secrets";
        return Stream.of(
                arguments("", "2: receiver.endpoints: found nothing, expected at least one endpoint"),
                arguments("    []", "2: receiver.endpoints: found nothing, expected at least one endpoint"),
                arguments("    default", "2: receiver.endpoints: found a single value, expected a list"),
                arguments("    - default", "3: receiver.endpoints[0]: found a single value, expected a section"),
                arguments("    - {name: a, secrets: [x]}", "3: " + path + "nothing, expected a path such as /webhook"),
                arguments(endpoint("webhook"), "3: " + path + "\"webhook\", expected a path such as /webhook"),
                arguments(endpoint("/a b"), "3: " + path + "\"/a b\", expected a path such as /webhook"),
                arguments(endpoint("/a?b"), "3: " + path + "\"/a?b\", expected a path such as /webhook"),
                arguments(endpoint("/a/*"), "3: " + path + "\"/a/*\", expected a path such as /webhook"),
                arguments(endpoint("/a/:b"), "3: " + path + "\"/a/:b\", expected a path such as /webhook"),
                arguments(endpoint("/a/../b"), "3: " + path + "\"/a/../b\", expected a path such as /webhook"),
                arguments(endpoint("//a"), "3: " + path + "\"//a\", expected a path such as /webhook"),
                arguments(
                        "    - {name: a, path: /a, secrets: [x], signature-header: \"My Header\"}",
                        "3: receiver.endpoints[0].signature-header: found \"My Header\","
                                + " expected a header's name such as Service-Signature"),
                arguments(
                        "    - {name: a, path: /a}",
                        "3: " + secrets + ": found nothing, expected a list, each of it a secret"),
                arguments(
                        "    - {name: a, path: /a, secrets: []}",
                        "3: " + secrets + ": found an empty list, expected a list, each of it a secret"),
                arguments(
                        "    - {name: a, path: /a, secrets: " + SECRET + "}",
                        "3: " + secrets + ": found a single value, expected a list"),
                arguments(
                        "    - {name: a, path: /a, secrets: [\"\"]}",
                        "3: " + secrets + "[0]: found an empty secret, expected a secret"),
                arguments(
                        "    - {name: a, path: /a, secrets: [x, \"${EMPTY}\"]}",
                        "3: " + secrets + "[1]: found an empty secret, expected a secret"),
                arguments(
                        "    - {name: a, path: /a, secrets: [~]}",
                        "3: " + secrets + "[0]: found nothing, expected a secret"),
                arguments(
                        "    - {name: a, path: /a, secrets: [\"" + SECRET + "${\"]}",
                        "3: " + secrets + "[0]: found a \"${\" without its \"}\","
                                + " expected ${NAME}, ${NAME:default} or ${file:/path}"),
                arguments(
                        "    - {name: a, path: /a, secrets: [\"${NOT_THERE}\"]}",
                        "3: " + secrets + "[0]: found ${NOT_THERE}, which is not set,"
                                + " expected the environment variable NOT_THERE or a default"),
                arguments(
                        endpoint("/a") + "\n" + endpoint("/b"),
                        "4: receiver.endpoints[1].name: found \"a\" a second time, expected another name than on line 3"),
                arguments(
                        endpoint("/a") + "\n    - {name: b, path: /a, secrets: [x]}",
                        "4: receiver.endpoints[1].path: found \"/a\" a second time, expected another path than on line 3"));
    }

    @Test
    void namesAConsumerThatStandsThereTwice() throws IOException {
        String consumers = """
                consumers:
                  - {name: mine, events: ["*"], verticle: log}
                  - {name: mine, events: ["*"], verticle: log}
                """;

        assertThat(mistake(RECEIVER + consumers))
                .isEqualTo("8: consumers[1].name: found \"mine\" a second time, expected another name than on line 7");
    }

    @Test
    void namesTheFileThatIsNotThere() {
        Path file = directory.resolve("nowhere.yaml");

        assertThat(catchThrowableOfType(ConfigException.class, () -> ConfigLoader.read(file, ENVIRONMENT)))
                .hasMessage(file + ": found no such file, expected a YAML file");
    }

    @Test
    void namesADirectoryInAFilesPlace() {
        assertThat(catchThrowableOfType(ConfigException.class, () -> ConfigLoader.read(directory, ENVIRONMENT)))
                .hasMessage(directory + ": found a directory, expected a YAML file");
    }

    @Test
    void namesAFileThatIsNotUtf8() throws IOException {
        Path file = Files.write(directory.resolve("holdfast.yaml"), new byte[] {'a', ':', ' ', (byte) 0xFF});

        assertThat(catchThrowableOfType(ConfigException.class, () -> ConfigLoader.read(file, ENVIRONMENT)))
                .hasMessage(file + ": found bytes that are not UTF-8, expected a YAML file");
    }

    @Test
    void namesASecretFileThatIsNotUtf8() throws IOException {
        Path secret = Files.write(directory.resolve("secret"), HexFormat.of().parseHex("ff00ff"));

        assertThat(mistake(RECEIVER + "plugins: ${file:" + secret + "}"))
                .isEqualTo("6: plugins: found ${file:" + secret + "}, which is not UTF-8, expected a UTF-8 file");
    }

    @Test
    void namesTheLineOfWhatIsNoYaml() throws IOException {
        String yaml = RECEIVER.replace("${SECRET}\"", SECRET);

        assertThat(mistake(yaml))
                .isEqualTo("5: found text that is no YAML: while scanning a quoted scalar,"
                        + " found unexpected end of stream, expected YAML");
    }

    @ParameterizedTest
    @CsvSource({
        "!very!, 'while parsing a node, found undefined tag handle'",
        "{*, Expected a field name (Scalar value in YAML)",
        "'\"\\Use', 'while scanning a double-quoted scalar, expected escape sequence of 8 hexadecimal numbers'",
        "'\"\\UFFFFFFFF', Malformed Number token",
        "'\"\\U7FFFFFFF', the escape sequence of no character"
    })
    void aSecretThatYamlTakesForSomethingOfItsOwnIsNotShown(String before, String reason) throws IOException {
        assertThat(mistake(RECEIVER.replace("\"${SECRET}\"", before + SECRET)))
                .isEqualTo("5: found text that is no YAML: " + reason + ", expected YAML");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void namesTheLineThatHasToBeCorrected(String yaml, int line, String reason) throws IOException {
        assertThat(mistake(yaml))
                .startsWith(line + ": found text that is no YAML: ")
                .contains(reason);
    }

    static Stream<Arguments> namesTheLineThatHasToBeCorrected() {
        return Stream.of(
                arguments("a: 1\nb: 2\n\tc: 3\nd: 4\n", 3, "(TAB)"),
                arguments("a:\n  b: 2\n\tc: 3\nd: 4\n", 3, "(TAB)"),
                arguments("a: 1\nb\nc: 2\n", 2, "could not find expected ':'"),
                arguments("a: 1\n\nb\n\n# c\nc: 2\n", 3, "could not find expected ':'"),
                arguments("a: 1\nb: \"x\nc: 2\nd: 3\n", 2, "unexpected end of stream"),
                arguments("a: 1\nb: 'x\n\n", 2, "unexpected end of stream"),
                arguments("a: 1\nb: \"c\n  d\\q\"\ne: 1\n", 3, "escape character q"),
                arguments("a: 1\nb: [c,\n  d\n", 2, "flow sequence"),
                arguments("a: 1\nb: {c: d,\n  e: f\n\n# end\n", 2, "flow mapping"),
                arguments("a: 1\nb: [c,\n  d: e: f]\n", 3, "flow sequence"),
                arguments("a: 1\nb:\n  c: 1\n d: 2\ne: 1\n", 4, "block mapping"),
                arguments("a:\n  - b: 1\n    c: 2\n   d: 3\n", 4, "block"),
                arguments("a: b: c\nd: 1\n", 1, "mapping values are not allowed here"),
                arguments("a: 1\n\nb: @c\n", 3, "'@'"),
                arguments("a: 1\nb: 2\nc: \u0007\n", 3, "special characters"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "content-length",
                "Transfer-Encoding",
                "CONNECTION",
                "Content-Type",
                "Content-Encoding",
                "TE",
                "Trailer",
                "Upgrade",
                "Expect",
                "Keep-Alive",
                "Proxy-Connection"
            })
    void aHeaderThatHttpItselfUsesCarriesNoSignature(String header) throws IOException {
        assertThat(mistake(RECEIVER + "      signature-header: " + header + "\n"))
                .isEqualTo("6: receiver.endpoints[0].signature-header: found " + header
                        + ", which HTTP itself uses, expected a header's name such as Service-Signature");
    }

    @Test
    void takesASecretThatLooksLikeANumberAsItIsWritten() throws IOException {
        for (String secret :
                new String[] {"0123456789012345", "1e99999999", ".nan", "0x1F", "1_000", "~x", "-.inf", "1:30"}) {
            Path file =
                    Files.writeString(directory.resolve("holdfast.yaml"), RECEIVER.replace("\"${SECRET}\"", secret));

            EndpointConfig endpoint = ConfigLoader.read(file, Map.of())
                    .config()
                    .receiver()
                    .endpoints()
                    .get(0);

            assertThat(endpoint.secrets()).containsExactly(new Secret(secret));
        }
    }

    @Test
    void namesAnAliasAndASecondDocument() throws IOException {
        assertThat(mistake("plugins: &a x\n" + RECEIVER + "journal: {directory: *a}\n"))
                .isEqualTo("7: journal.directory: found a YAML alias, expected the value itself");
        assertThat(mistake(RECEIVER + "---\na: 1\n")).isEqualTo("7: found a second YAML document, expected one");
    }

    @Test
    void namesATopThatIsNoSection() throws IOException {
        assertThat(mistake("- a")).isEqualTo("1: found a list, expected the sections of a configuration");
        assertThat(mistake("# nothing"))
                .isEqualTo("1: receiver.endpoints: found nothing, expected at least one endpoint");
    }

    private static String endpoint(String path) {
        return "    - {name: a, path: \"" + path + "\", secrets: [x]}";
    }

    /** The message of the one mistake, without the file. */
    private String mistake(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("holdfast.yaml"), yaml);

        ConfigException failure =
                catchThrowableOfType(ConfigException.class, () -> ConfigLoader.read(file, ENVIRONMENT));

        assertThat(failure).isNotNull();
        assertThat(failure.problems()).hasSize(1);
        String problem = failure.problems().get(0);
        assertThat(failure).hasMessage(problem).hasMessageNotContaining(SECRET).hasNoCause();
        assertThat(problem).startsWith(file + ":");
        return problem.substring((file + ":").length());
    }
}
