package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.DeliveryOrderTest.envelopes;
import static dev.holdfast.gateway.DeliveryOrderTest.push;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FileTree;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The verbs that look at a stopped gateway's directory. */
@Timeout(90)
class JournalToolsTest {
    @TempDir
    private static Path template;

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    /** Ten of each of two events, of which one lane is blocked; stopped. */
    @BeforeAll
    static void write() {
        Deliveries stuck = new Deliveries()
                .behave(push -> push.enterpriseToken().equals("stuck")
                        ? Future.failedFuture("not yet")
                        : Future.succeededFuture());
        try (GatewayUnderTest gateway = started(stuck, template)) {
            push(gateway, envelopes("client.created", "working", 10));
            push(gateway, envelopes("conversation.closed", "stuck", 10));
            eventually(() -> assertThat(new JsonObject(
                                    gateway.management("/api/v1/consumers").body())
                            .toString())
                    .contains("\"handled\":20"));
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Verb journal(String verb, String... options) {
        List<String> args = Stream.concat(
                        Stream.of("journal", verb, "--directory", data().toString()), Stream.of(options))
                .toList();
        return Verb.offline(args.toArray(String[]::new));
    }

    private GatewayUnderTest started() {
        return started(deliveries, directory);
    }

    private static GatewayUnderTest started(Deliveries deliveries, Path directory) {
        return GatewayUnderTest.start(new GatewaySettings().consumer("everything", "*", deliveries), directory);
    }

    /** Of everything in a directory that stays the same when it is only looked at. */
    private static Map<String, String> contents(Path directory) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                contents.put(file.toString(), Files.readString(file, ISO_8859_1));
            }
        }
        return contents;
    }

    private static List<JsonObject> lines(String out) {
        return out.lines().map(JsonObject::new).toList();
    }

    private void written() throws IOException {
        FileTree.copy(template, directory);
    }

    @Test
    void inspectShowsSegmentsAndWhatEachConsumerLacksAndChangesNothing() throws IOException {
        written();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(
                new GatewaySettings().consumer("other", "client.*", new Deliveries()), directory)) {
            push(gateway, envelopes("client.updated", "working", 5));
        }
        Map<String, String> before = contents(data());

        JsonObject found = new JsonObject(journal("inspect", "--output", "json").done());

        assertThat(found.getLong("firstSeq")).isEqualTo(1);
        assertThat(found.getLong("lastSeq")).isEqualTo(25);
        assertThat(found.getLong("missing")).isZero();
        JsonArray segments = found.getJsonArray("segments");
        assertThat(segments).hasSize(2);
        assertThat(segments.getJsonObject(0))
                .isEqualTo(new JsonObject()
                        .put("file", "00000000000000000001.segment")
                        .put("firstSeq", 1)
                        .put("lastSeq", 20)
                        .put("pushes", 20)
                        .put("bytes", Files.size(data().resolve("00000000000000000001.segment")))
                        .put("sealed", true));
        assertThat(found.getString("positionsFrom")).isEqualTo("store");
        assertThat(found.getJsonArray("consumers"))
                .contains(new JsonObject()
                        .put("name", "everything")
                        .put("position", 20)
                        .put("lag", 5)
                        .put("blocked", 10));
        assertThat(contents(data())).isEqualTo(before);
    }

    @Test
    void textIsAlignedInColumns() throws IOException {
        written();

        assertThat(journal("inspect").done().lines().toList())
                .contains(data() + ": pushes 1 to 20, "
                        + data().resolve("00000000000000000001.segment")
                                .toFile()
                                .length() + " bytes")
                .contains("segment                       first  last  pushes  bytes  state")
                .anyMatch(line -> line.matches("00000000000000000001\\.segment      1    20      20   \\d{4}  sealed"))
                .contains("positions from the store")
                .contains("consumer    position  lag  blocked")
                .contains("everything        20    0       10");
        assertThat(journal("verify").done())
                .contains(": 1 segment, ", " whole records with 20 pushes, ")
                .endsWith("all whole\n");
    }

    @Test
    void withoutAStoreThePositionsAreThoseOfTheLastNote() throws IOException {
        written();
        Files.delete(data().resolve("store/CURRENT"));

        JsonObject found = new JsonObject(journal("inspect", "--output", "json").done());

        assertThat(found.getString("positionsFrom")).isEqualTo("note");
        assertThat(found.getString("storeProblem")).startsWith("found no store in ");
        assertThat(found.getJsonArray("consumers").getJsonObject(0).encode())
                .isEqualTo("{\"name\":\"everything\",\"position\":20,\"lag\":0,\"blocked\":10}");
        assertThat(journal("inspect").done()).contains("positions from the journal's last note: found no store in ");
        assertThat(data().resolve("store/CURRENT")).doesNotExist();
    }

    @Test
    void verifyTellsDamageByItsExitStatus() throws IOException {
        written();
        assertThat(journal("verify", "--output", "json").done()).contains("\"whole\":true");
        Path segment = data().resolve("00000000000000000001.segment");
        byte[] whole = Files.readAllBytes(segment);
        byte[] flipped = whole.clone();
        int at = new String(whole, ISO_8859_1).indexOf("\"n\":7");
        flipped[at] ^= 1;
        Files.write(segment, flipped);
        Map<String, String> before = contents(data());

        Verb text = journal("verify");
        JsonObject json = new JsonObject(journal("verify", "--output", "json").out());

        assertThat(text.status()).isEqualTo(1);
        assertThat(text.out()).contains("00000000000000000001.segment").endsWith("damaged: 1 push is gone\n");
        assertThat(json.getBoolean("whole")).isFalse();
        assertThat(json.getInteger("pushes")).isEqualTo(19);
        JsonObject damage = json.getJsonArray("damage").getJsonObject(0);
        assertThat(damage.getInteger("at")).isBetween(32, at);
        assertThat(damage.getInteger("firstSeq"))
                .isEqualTo(damage.getInteger("lastSeq"))
                .isEqualTo(8);
        assertThat(contents(data())).isEqualTo(before);

        Files.delete(segment);
        Verb gone = journal("verify");
        assertThat(gone.status()).isEqualTo(1);
        assertThat(gone.out()).endsWith("damaged: 20 pushes are gone\n");
    }

    @Test
    void aRunningGatewaysDirectoryIsRefusedByEveryVerb() {
        try (GatewayUnderTest gateway = started()) {
            push(gateway, envelopes("client.created", "working", 1));
            for (String verb : List.of("inspect", "verify", "export")) {
                Verb refused = journal(verb);
                assertThat(refused.status()).isEqualTo(2);
                assertThat(refused.out()).isEmpty();
                assertThat(refused.err())
                        .contains("the journal in " + data() + " is in use by another process, a gateway or a command");
            }
            push(gateway, envelopes("client.updated", "working", 1));
        }
    }

    @Test
    void aStoreOfANewerFormatIsRefused() throws IOException {
        written();
        Files.writeString(data().resolve("store/format"), "holdfast store 2 6f1bb0f7\n");
        Verb damagedFormat = journal("inspect");
        assertThat(damagedFormat.status()).as(damagedFormat.err()).isZero();

        String text = "holdfast store 2 ";
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(bytes(text));
        Files.writeString(data().resolve("store/format"), text + String.format("%08x\n", crc.getValue()));
        for (String verb : List.of("inspect", "verify")) {
            Verb refused = journal(verb);
            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.err()).contains("newer version: found format 2 (expected: at most 1)");
        }
    }

    @Test
    void theDirectoryIsTakenFromTheConfigurationAsRunDoes() throws IOException {
        written();
        Path file = directory.resolve("holdfast.yaml");
        Files.writeString(file, Files.readString(file).replace(template.toString(), directory.toString()));

        assertThat(Verb.offline("journal", "verify", "-c", file.toString()).done())
                .startsWith(data() + ": ");

        Verb without = Verb.offline(
                "journal", "verify", "-c", directory.resolve("none.yaml").toString());
        assertThat(without.status()).isEqualTo(2);
        assertThat(without.err()).contains("none.yaml", "--directory");
        assertThat(Verb.offline(
                        "journal",
                        "inspect",
                        "--directory",
                        directory.resolve("none").toString()))
                .satisfies(none -> assertThat(none.status()).isEqualTo(2))
                .satisfies(none -> assertThat(none.err()).contains("found no directory"));
        assertThat(Verb.offline("journal").status()).isEqualTo(2);
    }

    @Test
    void anExportHasTheExactBodiesInOrder() {
        List<String> bodies = IntStream.range(0, 700)
                .mapToObj(n -> envelope(n % 2 == 0 ? "client.created" : "conversation.closed", "\u4ee4-" + n % 7, n)
                        .replace("}", ",\"x\":1.50e+2,\"t\":\"\\u00e9\u00e9\"}"))
                .toList();
        byte[] unreadable = {0, -1, 7};
        try (GatewayUnderTest gateway = started()) {
            push(gateway, bodies);
            assertThat(gateway.send(request(unreadable, "Service-Signature: " + sign(unreadable)))
                            .status())
                    .isEqualTo(200);
        }

        List<String> lines = journal("export").done().lines().toList();

        assertThat(lines).hasSize(701);
        for (int i = 0; i < 700; i++) {
            assertThat(lines.get(i))
                    .startsWith("{\"seq\":" + (i + 1) + ",")
                    .endsWith(",\"body\":" + bodies.get(i) + "}");
        }
        assertThat(new JsonObject(lines.get(700)).getBinary("body_base64")).isEqualTo(unreadable);

        List<String> events = journal(
                        "export", "--format", "cloudevents", "--event", "client.*", "--from", "3", "--to", "9")
                .done()
                .lines()
                .toList();
        assertThat(events).hasSize(4);
        assertThat(events.get(0))
                .contains("\"specversion\":\"1.0\",\"id\":\"default:3\"")
                .endsWith(",\"data\":" + bodies.get(2) + "}");
    }

    @Test
    void anExportTakesEventsTimesAndPositionsAndSaysWhatCanNotBeMeant() throws IOException {
        written();
        String received = lines(journal("export").done()).get(0).getString("received_at");

        assertThat(lines(journal("export", "--event", "conversation.closed", "--from", "12")
                        .done()))
                .hasSize(9)
                .allMatch(line -> line.getLong("seq") >= 12);
        assertThat(journal("export", "--until", received).done()).isEmpty();
        assertThat(lines(journal("export", "--since", received).done())).hasSize(20);
        assertThat(journal("export", "--from", "21").done()).isEmpty();
        Map<String, String[]> mistakes = Map.of(
                "--to: found 5, expected a position from 10 on", new String[] {"--from", "10", "--to", "5"},
                "--since: found yesterday, expected a time", new String[] {"--since", "yesterday"},
                "--event: found client*, expected an event", new String[] {"--event", "client*"},
                "--until: found ", new String[] {"--since", received, "--until", received});
        mistakes.forEach((message, options) -> {
            Verb wrong = journal("export", options);
            assertThat(wrong.status()).isEqualTo(2);
            assertThat(wrong.err()).contains(message);
        });
    }

    @Test
    void anExportOfADamagedRangeHasTheRestAndFails() throws IOException {
        written();
        Path segment = data().resolve("00000000000000000001.segment");
        byte[] damaged = Files.readAllBytes(segment);
        damaged[new String(damaged, ISO_8859_1).indexOf("\"n\":7")] ^= 1;
        Files.write(segment, damaged);

        Verb all = journal("export");

        assertThat(all.status()).isEqualTo(1);
        assertThat(lines(all.out())).hasSize(19);
        assertThat(all.err()).contains("1 of the positions that were looked through can't be read back");
        assertThat(lines(journal("export", "--from", "9").done())).hasSize(12);
    }
}
