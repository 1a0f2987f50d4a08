package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.DeliveryOrderTest.envelopes;
import static dev.holdfast.gateway.DeliveryOrderTest.push;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Delivering what is in the journal again. */
@Timeout(90)
class ReplayTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final Deliveries others = new Deliveries();

    private GatewayUnderTest start() {
        GatewaySettings settings =
                new GatewaySettings().consumer("mine", "*", deliveries).consumer("clients", "client.*", others);
        return GatewayUnderTest.start(settings, directory);
    }

    private static JsonObject replay(GatewayUnderTest gateway, String json) {
        HttpAnswer answer = gateway.manage("/api/v1/replays", json);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static JsonArray replays(GatewayUnderTest gateway) {
        return new JsonObject(gateway.management("/api/v1/replays").body()).getJsonArray("replays");
    }

    private static List<JsonObject> running(GatewayUnderTest gateway) {
        return replays(gateway).stream()
                .map(JsonObject.class::cast)
                .filter(replay -> Set.of("running", "waiting").contains(replay.getString("state")))
                .toList();
    }

    private static JsonObject leg(JsonObject replay) {
        return replay.getJsonArray("consumers").getJsonObject(0);
    }

    private static List<Long> replayed(Deliveries deliveries) {
        return deliveries.handled().stream().filter(Push::replay).map(Push::seq).toList();
    }

    @Test
    void aRangeComesAgainInOrderMarkedAsReplayedAndToOneConsumerOnly() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 20));
            eventually(() -> assertThat(others.handled()).hasSize(20));
            eventually(() -> assertThat(deliveries.handled()).hasSize(20));

            replay(gateway, "{\"from\":5,\"to\":14,\"consumer\":\"mine\"}");

            eventually(() -> assertThat(replayed(deliveries))
                    .isEqualTo(LongStream.rangeClosed(5, 14).boxed().toList()));
            eventually(() -> assertThat(running(gateway)).isEmpty());
            assertThat(others.handled()).hasSize(20).noneMatch(Push::replay);
        }
    }

    /** Whoever follows one asks for it again and again, also while its end is being made durable. */
    @Test
    void aReplayIsShownAtAnyMomentFromItsBeginningToItsEnd() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 1));
            for (int i = 0; i < 3; i++) {
                String id = replay(gateway, "{\"to\":1,\"consumer\":\"mine\"}").getString("id");
                while (!state(gateway, id).equals("done")) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private static String state(GatewayUnderTest gateway, String id) {
        return replays(gateway).stream()
                .map(JsonObject.class::cast)
                .filter(replay -> replay.getString("id").equals(id))
                .map(replay -> replay.getString("state"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("found no replay " + id + " in the list"));
    }

    @Test
    void eventIdAndTimeChooseAndEachConsumerGetsWhatItSubscribedTo() {
        try (GatewayUnderTest gateway = start()) {
            gateway.push(envelope("client.created", "one", 1));
            gateway.push(envelope("conversation.closed", "one", 2));
            gateway.push(envelope("client.created", "two", 3));
            eventually(() -> assertThat(deliveries.handled()).hasSize(3));
            eventually(() -> assertThat(others.handled()).hasSize(2));

            assertThat(replay(gateway, "{\"dryRun\":true}").getInteger("pushes"))
                    .isEqualTo(3);
            assertThat(replay(gateway, "{\"dryRun\":true,\"id\":\"sub_one_1700000000\"}")
                            .getInteger("pushes"))
                    .isEqualTo(2);
            assertThat(replay(gateway, "{\"dryRun\":true,\"event\":\"conversation.*\"}")
                            .getInteger("pushes"))
                    .isEqualTo(1);
            assertThat(replay(gateway, "{\"dryRun\":true,\"until\":\"2020-01-01T00:00:00Z\"}")
                            .getInteger("pushes"))
                    .isZero();
            assertThat(running(gateway)).isEmpty();

            replay(gateway, "{\"all\":true}");

            eventually(() -> assertThat(replayed(deliveries)).containsExactlyInAnyOrder(1L, 2L, 3L));
            eventually(() -> assertThat(replayed(others)).containsExactlyInAnyOrder(1L, 3L));
        }
    }

    @Test
    void itKeepsToItsRateBesideLiveDeliveryIsVisibleAndCanBeStopped() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 300));
            eventually(() -> assertThat(deliveries.handled()).hasSize(300));

            String id = replay(gateway, "{\"consumer\":\"mine\",\"rate\":20}").getString("id");
            eventually(() -> assertThat(replayed(deliveries)).hasSizeGreaterThan(10));
            gateway.push(envelope("client.created", "ent-1", 1000));
            eventually(() -> assertThat(deliveries.handledSeqs()).contains(301L));
            eventually(() -> {
                assertThat(running(gateway)).hasSize(1);
                JsonObject shown = running(gateway).get(0);
                assertThat(shown.getString("id")).isEqualTo(id);
                assertThat(leg(shown).getLong("next")).isBetween(5L, 300L);
                assertThat(shown.getLong("delivered")).isPositive();
            });

            String stop = "/api/v1/replays/" + id + "/stop";
            CompletableFuture<HttpAnswer> other = CompletableFuture.supplyAsync(() -> gateway.manage(stop, "{}"));
            HttpAnswer one = gateway.manage(stop, "{}");
            assertThat(List.of(one.status(), other.join().status())).containsExactlyInAnyOrder(200, 404);

            assertThat(running(gateway)).isEmpty();
            assertThat(replays(gateway).getJsonObject(0).getString("state")).isEqualTo("stopped");
            assertThat(replayed(deliveries)).hasSizeLessThan(300).isSorted();
        }
    }

    @Test
    void itGoesOnAfterARestart() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 120));
            eventually(() -> assertThat(deliveries.handled()).hasSize(120));
            // However late the stop comes, there is something left of the replay.
            deliveries.behave(push ->
                    push.replay() && push.seq() > 80 ? Future.failedFuture("not yet") : Future.succeededFuture());
            replay(gateway, "{\"consumer\":\"mine\",\"rate\":30}");
            eventually(() -> assertThat(leg(replays(gateway).getJsonObject(0)).getLong("next"))
                    .isGreaterThan(40));
        }
        int before = replayed(deliveries).size();
        deliveries.behave(push -> Future.succeededFuture());
        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = start()) {
            eventually(() -> assertThat(replayed(deliveries)).contains(120L));
            eventually(() -> assertThat(running(gateway)).isEmpty());
            assertThat(log.text()).containsPattern("replay [0-9a-f]{8} goes on");
        }
        List<Long> after =
                replayed(deliveries).subList(before, replayed(deliveries).size());
        assertThat(after).isSorted().doesNotContain(1L).endsWith(120L);
        assertThat(replayed(deliveries))
                .contains(LongStream.rangeClosed(1, 120).boxed().toArray(Long[]::new));
    }

    @Test
    void afterACleanStopNothingOfItComesTwice() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 120));
            eventually(() -> assertThat(deliveries.handled()).hasSize(120));
            replay(gateway, "{\"consumer\":\"mine\",\"rate\":100}");
            eventually(() -> assertThat(replayed(deliveries)).contains(5L));
        }
        try (GatewayUnderTest gateway = start()) {
            eventually(() -> assertThat(replayed(deliveries)).contains(120L));
            eventually(() -> assertThat(running(gateway)).isEmpty());
        }
        assertThat(replayed(deliveries))
                .isEqualTo(LongStream.rangeClosed(1, 120).boxed().toList());
    }

    @Test
    void aReplayedPushThatFailsForGoodIsADeadLetter() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 3));
            eventually(() -> assertThat(deliveries.handled()).hasSize(3));
            deliveries.behave(push ->
                    push.seq() == 2 ? Future.failedFuture(new PermanentFailure("no")) : Future.succeededFuture());

            replay(gateway, "{\"consumer\":\"mine\"}");

            eventually(() -> assertThat(replayed(deliveries)).containsExactly(1L, 3L));
            assertThat(gateway.management("/api/v1/dead-letters").body()).contains("\"seq\":2");
        }
    }

    @Test
    void aDryRunCountsForTheConsumersThatAReplayWouldGoTo() {
        try (GatewayUnderTest gateway = start()) {
            gateway.push(envelope("client.created", "one", 1));
            gateway.push(envelope("conversation.closed", "one", 2));
            eventually(() -> assertThat(deliveries.handled()).hasSize(2));

            assertThat(replay(gateway, "{\"dryRun\":true}"))
                    .contains(Map.entry("pushes", 2), Map.entry("deliveries", 3), Map.entry("more", false));
            assertThat(replay(gateway, "{\"dryRun\":\"true\",\"consumer\":\"clients\"}"))
                    .contains(Map.entry("pushes", 1), Map.entry("deliveries", 1), Map.entry("more", false));
            assertThat(gateway.manage("/api/v1/replays", "{\"dryRun\":true,\"consumer\":\"nobody\"}")
                            .body())
                    .contains("found nobody, expected one that is configured: [clients, mine]");
            assertThat(running(gateway)).isEmpty();
        }
    }

    /** Starts when the test lets it. */
    public static final class StartsLater extends RecordingConsumer {
        private static volatile boolean may;

        @Override
        public Future<?> start() throws Exception {
            return may ? super.start() : Future.failedFuture("not yet");
        }
    }

    @Test
    void aConsumerThatDoesNotRunHasItsPartWhenItIsBack() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 3));
            eventually(() -> assertThat(others.handled()).hasSize(3));
        }
        GatewaySettings settings = new GatewaySettings()
                .consumer("mine", "*", deliveries)
                .consumer("clients", "client.*", StartsLater.class.getName(), others);
        StartsLater.may = false;
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            assertThat(replay(gateway, "{\"dryRun\":true}")).contains(Map.entry("deliveries", 6));

            assertThat(replay(gateway, "{\"all\":true}").getJsonArray("consumers"))
                    .hasSize(2);

            eventually(() -> assertThat(replayed(deliveries)).containsExactly(1L, 2L, 3L));
            eventually(() -> assertThat(running(gateway))
                    .first()
                    .extracting(replay -> replay.getString("state"))
                    .isEqualTo("waiting"));
            StartsLater.may = true;
            eventually(() -> assertThat(replayed(others)).containsExactly(1L, 2L, 3L));
        }
    }

    @Test
    void whoSaysNothingGetsNothingReplayed() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 3));
            eventually(() -> assertThat(deliveries.handled()).hasSize(3));

            for (String json : List.of("{}", "{\"rate\":10}", "{\"all\":false}")) {
                HttpAnswer answer = gateway.manage("/api/v1/replays", json);
                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.body()).contains("found nothing that says which pushes", "all: true");
            }
            Verb silent = Verb.run(gateway, "pushes", "replay");
            assertThat(silent.status()).isEqualTo(2);
            assertThat(silent.err()).contains("--all for every push to every consumer");
            assertThat(running(gateway)).isEmpty();

            assertThat(run(gateway, "replay", "--dry-run")).contains("3 pushes");
            assertThat(run(gateway, "replay", "--all")).containsPattern("pushes  running +1   3  -  +clients");
            eventually(() -> assertThat(replayed(deliveries)).containsExactly(1L, 2L, 3L));
        }
    }

    @Test
    void mistakesAreAnswered400() {
        try (GatewayUnderTest gateway = start()) {
            HttpAnswer nobody = gateway.manage("/api/v1/replays", "{\"all\":true,\"consumer\":\"nobody\"}");
            assertThat(nobody.status()).isEqualTo(400);
            assertThat(nobody.body()).contains("found nobody, expected one that is configured: [clients, mine]");
            assertThat(gateway.manage("/api/v1/replays", "{\"form\":1}").body()).contains("unknown key form");
            assertThat(gateway.manage("/api/v1/replays", "[]").status()).isEqualTo(400);
        }
    }

    @Test
    void theCommandLineListsGetsAndReplays() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 3));
            eventually(() -> assertThat(deliveries.handled()).hasSize(3));

            assertThat(run(gateway, "list", "--last", "2"))
                    .containsPattern(" 2  \\S+Z  client.created  default +ent-1 +\\d+ B  sub_ent-1_1700000000")
                    .hasLineCount(3);
            assertThat(run(gateway, "get", "2"))
                    .containsPattern("seq +2\n")
                    .contains(envelope("client.created", "ent-1", 1));
            assertThat(run(gateway, "replay", "--dry-run", "--event", "client.*"))
                    .contains("3 pushes, 6 deliveries");
            assertThat(run(gateway, "replay", "--from", "2", "--event", "client.*", "--consumer", "mine"))
                    .containsPattern("pushes  running +2   3  event client\\.\\*  mine ");
            eventually(() -> assertThat(replayed(deliveries)).containsExactly(2L, 3L));
            eventually(() -> assertThat(run(gateway, "replay", "--status"))
                    .containsPattern("pushes  done +2   3  event client\\.\\*  mine +done +2 +0"));
            Verb followed = Verb.run(gateway, "pushes", "replay", "--follow", "--to", "1", "--consumer", "mine");
            assertThat(followed.done()).containsPattern("pushes  done +1   1  -     mine +done +1 +0");
        }
    }

    /** Vert.x's own Base64 is for URLs and has no padding: a body's length decides whether the two can be told apart. */
    @Test
    void aBodyOfAnyLengthIsShownAndIsStandardBase64InJson() {
        try (GatewayUnderTest gateway = start()) {
            List<String> bodies = Stream.of("", "x", "xy", "?>?>?>~~~")
                    .map(more -> "{\"event\":\"client.created\",\"client\":\"" + more + "\"}")
                    .toList();
            push(gateway, bodies);

            for (int i = 0; i < bodies.size(); i++) {
                String seq = Integer.toString(i + 1);
                assertThat(run(gateway, "get", seq)).endsWith(bodies.get(i) + System.lineSeparator());
                String encoded = new JsonObject(run(gateway, "get", seq, "--output", "json")).getString("body");
                assertThat(Base64.getDecoder().decode(encoded)).asString(UTF_8).isEqualTo(bodies.get(i));
            }
        }
    }

    @Test
    void whereNoConsumerIsConfiguredThereIsNobodyToReplayFor() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            assertThat(replay(gateway, "{\"dryRun\":true}")).contains(Map.entry("deliveries", 0));
            HttpAnswer nobody = gateway.manage("/api/v1/replays", "{\"all\":true}");
            assertThat(nobody.status()).isEqualTo(400);
            assertThat(nobody.body()).contains("consumer: found none, expected one that is configured: []");
        }
    }

    @Test
    void whatElseIsKeptOfItsRequestIsShownWithAPush() {
        byte[] body = bytes("{\"event\":\"client.created\"}");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            String signature = "Service-Signature: " + sign(body);
            gateway.send(requestTo("/webhook?a=1", body, signature, "Content-Type: a/b", "Content-Encoding: x"));

            assertThat(run(gateway, "get", "1"))
                    .containsPattern("content-type +a/b\n")
                    .containsPattern("encoding +x\n")
                    .containsPattern("query +a=1\n");
            JsonObject shown = new JsonObject(run(gateway, "get", "1", "--output", "json"));
            assertThat(shown.getString("contentType")).isEqualTo("a/b");
            assertThat(shown.getString("contentEncoding")).isEqualTo("x");
            assertThat(shown.getString("query")).isEqualTo("a=1");
        }
    }

    private static String run(GatewayUnderTest gateway, String... verb) {
        return Verb.run(gateway, "pushes", verb).done();
    }
}
