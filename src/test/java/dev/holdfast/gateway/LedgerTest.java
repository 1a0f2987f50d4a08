package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.FileTree;
import dev.holdfast.Gateway;
import dev.holdfast.LogLines;
import dev.holdfast.Storage;
import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.journal.LogJournal;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.store.BrokenStore;
import dev.holdfast.store.RocksStore;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is refused or lost is counted for good, and so is when the gateway was down. */
@Timeout(90)
class LedgerTest {
    private static final String WRONG = "Service-Signature: 0123456789012345678901234567890123456789";

    @TempDir
    Path directory;

    private GatewayUnderTest start() {
        return start(new GatewaySettings());
    }

    private GatewayUnderTest start(GatewaySettings settings) {
        return GatewayUnderTest.start(settings, directory);
    }

    private static GatewaySettings twoEndpoints() {
        return new GatewaySettings()
                .endpoint("north", "/north", "Service-Signature", GatewayUnderTest.SECRET)
                .endpoint("south", "/south", "Service-Signature", GatewayUnderTest.SECRET);
    }

    private static JsonObject ledger(GatewayUnderTest gateway) {
        return ledger(gateway, "");
    }

    private static JsonObject ledger(GatewayUnderTest gateway, String query) {
        HttpAnswer answer = gateway.management("/api/v1/ledger" + query);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    /** By cause and endpoint, all days together: a test may last past midnight. */
    private static Map<String, Long> counts(GatewayUnderTest gateway) {
        Map<String, Long> counts = new TreeMap<>();
        ledger(gateway).getJsonArray("counts").stream()
                .map(JsonObject.class::cast)
                .forEach(count -> counts.merge(
                        count.getString("cause") + " " + count.getString("endpoint", "-"),
                        count.getLong("count"),
                        Long::sum));
        return counts;
    }

    private static List<JsonObject> starts(GatewayUnderTest gateway) {
        return ledger(gateway).getJsonArray("starts").stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    /** Once the line of this start is durable. */
    static JsonObject newestStart(GatewayUnderTest gateway, int starts) {
        eventually(() -> assertThat(starts(gateway)).hasSize(starts));
        return starts(gateway).get(0);
    }

    private static void refuse(GatewayUnderTest gateway, int n) {
        assertThat(gateway.send(request(bytes(envelope("client.created", n)), WRONG))
                        .status())
                .isEqualTo(401);
    }

    private Path data() {
        return directory.resolve("data");
    }

    @Test
    void refusalsAreCountedByCauseAndEndpointAndSurviveARestart() {
        byte[] body = bytes(envelope("client.created", 1));
        Map<String, Long> expected = Map.of(
                "signature north", 2L,
                "signature south", 1L,
                "not-found -", 1L,
                "method south", 1L,
                "too-large north", 1L,
                "expectation north", 1L,
                "host -", 1L,
                "malformed south", 1L,
                "incomplete south", 1L);
        GatewaySettings settings = twoEndpoints().receiver("max-body: 64KiB");
        try (GatewayUnderTest gateway = start(settings)) {
            gateway.send(requestTo("/north", body, WRONG));
            gateway.send(requestTo("/north", body, WRONG));
            gateway.send(requestTo("/south", body, WRONG));
            gateway.send(requestTo("/nowhere", body, WRONG));
            gateway.send(bytes("GET /south HTTP/1.1\r\nHost: gateway\r\n\r\n"));
            gateway.send(bytes("POST /north HTTP/1.1\r\nHost: gateway\r\nContent-Length: 70000\r\n\r\n"));
            gateway.send(requestTo("/north", body, WRONG, "Expect: miracles"));
            gateway.send(bytes("POST /%zz HTTP/1.1\r\nContent-Length: 0\r\n\r\n"));
            gateway.send(bytes("POST /south HTTP/1.1\r\nHost: gateway\r\nnonsense\r\n\r\n"));
            try (RawConnection connection = gateway.connect()) {
                connection.send(
                        "POST /south HTTP/1.1\r\nHost: gateway\r\n" + WRONG + "\r\nContent-Length: 100\r\n\r\nhalf");
                eventually(() -> assertThat(gateway.metric("holdfast_receiver_requests_total"))
                        .isEqualTo(10));
                connection.reset();
            }
            eventually(() -> assertThat(counts(gateway)).isEqualTo(expected));
            assertThat(gateway.refusals("signature")).isEqualTo(3);
        }
        try (GatewayUnderTest gateway = start(settings)) {
            assertThat(counts(gateway)).isEqualTo(expected);
            gateway.send(requestTo("/north", body, WRONG));
            assertThat(counts(gateway)).containsEntry("signature north", 3L);
        }
    }

    @Test
    void asManyAreCountedAsWereRefusedHoweverManyAtOnce() throws IOException {
        int clients = 8;
        int each = 250;
        byte[] wrong = request(bytes(envelope("client.created", 1)), WRONG);
        List<Long> seen = new ArrayList<>();
        try (GatewayUnderTest gateway = start()) {
            List<CompletableFuture<Void>> sent = Stream.generate(() -> CompletableFuture.runAsync(() -> {
                        try (RawConnection connection = gateway.connect()) {
                            for (int n = 0; n < each; n++) {
                                assertThat(connection.send(wrong).answer().status())
                                        .isEqualTo(401);
                            }
                        }
                    }))
                    .limit(clients)
                    .toList();
            CompletableFuture<Void> all = CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
            while (!all.isDone() && seen.size() < 20) {
                seen.add(counts(gateway).getOrDefault("signature default", 0L));
            }
            all.join();
            assertThat(counts(gateway)).isEqualTo(Map.of("signature default", (long) clients * each));
            assertThat(seen).isSorted();
        }
        try (GatewayUnderTest gateway = start()) {
            assertThat(counts(gateway)).isEqualTo(Map.of("signature default", (long) clients * each));
        }
    }

    @Test
    void aCleanStopIsSaidWithTheTimeTheGatewayWasDown() {
        Instant accepting;
        try (GatewayUnderTest gateway = start()) {
            JsonObject first = newestStart(gateway, 1);
            assertThat(first.getString("lastStop")).isEqualTo("none");
            assertThat(first.containsKey("downMillis")).isFalse();
            accepting = Instant.now();
        }
        Instant stopped = Instant.now();

        try (GatewayUnderTest gateway = start()) {
            JsonObject second = newestStart(gateway, 2);
            assertThat(second.getString("lastStop")).isEqualTo("clean");
            assertThat(Instant.parse(second.getString("at")).minusMillis(second.getLong("downMillis")))
                    .isBetween(accepting.minusMillis(1), stopped);
            assertThat(Instant.parse(second.getString("at"))).isAfterOrEqualTo(stopped.minusMillis(1));
            assertThat(more(gateway, 2)).isFalse();
            assertThat(more(gateway, 1)).as("a start is cut off").isTrue();
        }
    }

    private static boolean more(GatewayUnderTest gateway, int limit) {
        return new JsonObject(
                        gateway.management("/api/v1/ledger?limit=" + limit).body())
                .getBoolean("more");
    }

    @Test
    void aKillIsNotACleanStopAndTheTimeDownBeginsWithTheLastSignOfLife() throws IOException {
        Path killed = directory.resolve("killed");
        Instant started;
        Instant copied;
        try (GatewayUnderTest gateway = start()) {
            started = Instant.parse(newestStart(gateway, 1).getString("at"));
            FileTree.copy(data(), killed.resolve("data"));
            copied = Instant.now();
        }

        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), killed)) {
            JsonObject start = newestStart(gateway, 2);
            assertThat(start.getString("lastStop")).isEqualTo("unclean");
            assertThat(Instant.parse(start.getString("at")).minusMillis(start.getLong("downMillis")))
                    .isBetween(started.minusMillis(1), copied.plusMillis(1));
            assertThat(log.text()).contains("its last stop was not clean");
        }
    }

    private HoldfastConfig onPort(int port) throws IOException {
        new GatewaySettings().in(directory);
        Path file = directory.resolve("holdfast.yaml");
        Files.writeString(file, Files.readString(file).replaceFirst("port: 0", "port: " + port));
        return ConfigLoader.read(file, Map.of()).config();
    }

    @Test
    void aStartThatFailsIsNoStart() throws IOException {
        start().close();
        Path elsewhere = Files.createDirectory(directory.resolve("other"));
        try (GatewayUnderTest other = GatewayUnderTest.start(new GatewaySettings(), elsewhere)) {
            HoldfastConfig taken = onPort(other.port());
            assertThat(catchThrowable(() -> Gateway.start(taken, PushWatcher.NONE, stop -> {})))
                    .hasMessage("receiver.host and port: can't listen on 127.0.0.1:" + other.port()
                            + ": the port is in use already");
        }
        Instant failed = Instant.now();

        try (GatewayUnderTest gateway = start()) {
            JsonObject start = newestStart(gateway, 2);
            assertThat(start.getString("lastStop")).isEqualTo("clean");
            assertThat(Instant.parse(start.getString("at")).minusMillis(start.getLong("downMillis")))
                    .isBefore(failed);
        }
    }

    @Test
    void aDeletedStoreCostsTheHistoryAndThatIsALine() throws IOException {
        try (GatewayUnderTest gateway = start()) {
            refuse(gateway, 1);
            gateway.push(envelope("client.created", 2));
        }
        FileTree.delete(data().resolve("store"));

        try (GatewayUnderTest gateway = start()) {
            JsonObject start = newestStart(gateway, 1);
            assertThat(start.getString("lastStop")).isEqualTo("lost");
            assertThat(start.containsKey("downMillis")).isFalse();
            refuse(gateway, 3);
            assertThat(counts(gateway)).isEqualTo(Map.of("signature default", 1L));
            assertThat(Verb.run(gateway, "ledger").done()).contains("the ledger before is lost with the store");
        }
    }

    @Test
    void aDamagedStoreCostsTheHistoryAndIsCounted() throws IOException {
        try (GatewayUnderTest gateway = start()) {
            refuse(gateway, 1);
            gateway.push(envelope("client.created", 2));
        }
        Files.delete(data().resolve("store/CURRENT"));

        try (GatewayUnderTest gateway = start()) {
            assertThat(newestStart(gateway, 1).getString("lastStop")).isEqualTo("lost");
            assertThat(counts(gateway)).isEqualTo(Map.of("store-set-aside -", 1L));
        }
        try (GatewayUnderTest gateway = start()) {
            assertThat(newestStart(gateway, 2).getString("lastStop")).isEqualTo("clean");
            assertThat(counts(gateway)).isEqualTo(Map.of("store-set-aside -", 1L));
        }
    }

    @Test
    void damageInTheJournalIsCountedOnceHoweverOftenItIsFound() throws IOException {
        Deliveries deliveries = new Deliveries();
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries);
        try (GatewayUnderTest gateway = start(settings)) {
            for (int n = 1; n <= 3; n++) {
                gateway.push(envelope("client.created", n));
            }
            eventually(() -> assertThat(deliveries.handled()).hasSize(3));
        }
        Path segment;
        try (Stream<Path> files = Files.walk(data())) {
            segment = files.filter(file -> file.toString().endsWith(".segment"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(segment);
        bytes[200] ^= 1;
        Files.write(segment, bytes);

        for (int life = 0; life < 3; life++) {
            try (GatewayUnderTest gateway = start(settings)) {
                assertThat(gateway.management("/api/v1/pushes").status()).isEqualTo(200);
                eventually(() -> assertThat(counts(gateway))
                        .isEqualTo(Map.of("journal-file-damaged -", 1L, "journal-push-lost -", 1L)));
            }
        }
    }

    @Test
    void whatNobodySubscribedToIsCounted() {
        try (GatewayUnderTest gateway = start(twoEndpoints().consumer("clients", "client.*", new Deliveries()))) {
            byte[] body = bytes(envelope("ticket.opened", 1));
            byte[] other = bytes(envelope("client.created", 2));
            gateway.send(requestTo("/south", body, "Service-Signature: " + GatewayUnderTest.sign(body)));
            gateway.send(requestTo("/south", other, "Service-Signature: " + GatewayUnderTest.sign(other)));

            eventually(() -> assertThat(counts(gateway)).isEqualTo(Map.of("unsubscribed south", 1L)));
        }
    }

    @Test
    void aStoreThatFailsCostsNeitherAnAnswerNorACount() {
        AtomicBoolean broken = new AtomicBoolean();
        Storage.Opener opener = (config, registry) -> {
            Path path = config.journal().directory();
            RocksStore store = BrokenStore.open(path, registry, broken::get);
            return new Storage(LogJournal.open(path, 1L << 30, store, registry), store);
        };
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory, opener)) {
            refuse(gateway, 0);
            newestStart(gateway, 1);
            broken.set(true);
            for (int n = 1; n < 10; n++) {
                refuse(gateway, n);
                assertThat(gateway.push(envelope("client.created", n)).status()).isEqualTo(200);
            }
            eventually(() ->
                    assertThat(gateway.metric("holdfast_store_failures_total")).isPositive());
            broken.set(false);
            eventually(() -> assertThat(gateway.metric("holdfast_store_open")).isEqualTo(1));
            assertThat(counts(gateway)).containsEntry("signature default", 10L);
        }
        try (GatewayUnderTest gateway = start()) {
            assertThat(counts(gateway)).containsEntry("signature default", 10L);
            newestStart(gateway, 2);
        }
    }

    @Test
    void theVerbShowsCountsAndStartsNewestFirst() {
        try (GatewayUnderTest gateway = start()) {
            refuse(gateway, 1);
            gateway.send(requestTo("/nowhere", bytes("{}"), WRONG));
            newestStart(gateway, 1);

            assertThat(Verb.run(gateway, "ledger").done().lines())
                    .satisfiesExactly(
                            line -> assertThat(line).matches("DAY +COUNT  CAUSE +ENDPOINT +CONSUMER +EVENT +SEQ"),
                            line -> assertThat(line).matches("\\d{4}-\\d\\d-\\d\\d +1  not-found( +-){4}"),
                            line -> assertThat(line).matches("\\d{4}-\\d\\d-\\d\\d +1  signature +default( +-){3}"),
                            line -> assertThat(line).isEmpty(),
                            line -> assertThat(line)
                                    .matches("started \\d{4}-\\d\\d-\\d\\dT.*Z, the first one in this ledger"));
            Verb newest = Verb.run(gateway, "ledger", "--last", "1");
            assertThat(newest.done().lines()).hasSize(4);
            assertThat(newest.err()).contains("more: --last with a larger number, or --until with an earlier day");
            assertThat(Verb.run(gateway, "ledger", "--until", "2020-01-01").done())
                    .isEmpty();
            assertThat(Verb.run(gateway, "ledger", "--since", "2020-01-01")
                            .done()
                            .lines())
                    .hasSize(5);
            assertThat(new JsonObject(
                            Verb.run(gateway, "ledger", "--output", "json").done()))
                    .isEqualTo(ledger(gateway));
        }
        try (GatewayUnderTest gateway = start()) {
            newestStart(gateway, 2);
            assertThat(Verb.run(gateway, "ledger").done().lines())
                    .hasSize(6)
                    .element(4)
                    .asString()
                    .matches("started .*Z after \\d+m?s, the last stop was clean");
        }
    }

    @Test
    void whatIsNoDayAndNoNumberIsUsedWrongly() {
        try (GatewayUnderTest gateway = start()) {
            for (String day : List.of("yesterday", "1969-12-31", "+10000-01-01", "2026-02-30")) {
                Verb verb = Verb.run(gateway, "ledger", "--since", day);
                assertThat(verb.status()).isEqualTo(2);
                assertThat(verb.err()).contains("since: found " + day + ", expected a day such as 2026-01-31");
            }
            for (String day : List.of("2026-11-20", "2026-11-24")) {
                Verb verb = Verb.run(gateway, "ledger", "--since", "2026-11-24", "--until", day);
                assertThat(verb.status()).isEqualTo(2);
                assertThat(verb.err()).contains("until: found " + day + ", expected a day after since");
            }
            assertThat(Verb.run(gateway, "ledger", "--last", "0").status()).isEqualTo(2);
            assertThat(gateway.management("/api/v1/ledger?days=3").status()).isEqualTo(400);
        }
    }
}
