package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.DeliveryOrderTest.envelopes;
import static dev.holdfast.gateway.DeliveryOrderTest.push;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.journal.BrokenJournal;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import dev.holdfast.push.TestPush;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetters;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a consumer fails for good: kept, shown, retried, discarded. */
@Timeout(90)
class DeadLettersTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final AtomicBoolean broken = new AtomicBoolean(true);

    private GatewayUnderTest start(String... lines) {
        return GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries, lines), directory);
    }

    /** Fails pushes at even positions for good. */
    private Future<?> failEven(Push push) {
        return push.seq() % 2 == 0 && broken.get()
                ? Future.failedFuture(new PermanentFailure("no"))
                : Future.succeededFuture();
    }

    private static JsonArray letters(GatewayUnderTest gateway, String query) {
        HttpAnswer answer = gateway.management("/api/v1/dead-letters" + query);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body()).getJsonArray("deadLetters");
    }

    /** Ascending. */
    private static List<Long> seqs(JsonArray letters) {
        List<Long> seqs = new ArrayList<>();
        letters.forEach(letter -> seqs.add(((JsonObject) letter).getLong("seq")));
        Collections.sort(seqs);
        return seqs;
    }

    private static double kept(GatewayUnderTest gateway) {
        return gateway.metric("holdfast_consumer_dead_letters{consumer=\"mine\"}");
    }

    @Test
    void aPermanentFailureIsADeadLetterAtOnceAndTheLaneMovesOn() {
        deliveries.behave(this::failEven);
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 5));

            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 3L, 5L));
            assertThat(deliveries.attemptedSeqs()).containsExactly(1L, 2L, 3L, 4L, 5L);
            assertThat(seqs(letters(gateway, ""))).containsExactly(2L, 4L);
            JsonObject letter = letters(gateway, "").getJsonObject(0);
            assertThat(letter.getString("consumer")).isEqualTo("mine");
            assertThat(letter.getString("event")).isEqualTo("client.created");
            assertThat(letter.getInteger("attempts")).isEqualTo(1);
            assertThat(letter.getJsonObject("first").getString("error")).isEqualTo("no");
            assertThat(letter.getJsonObject("last").getString("at")).startsWith("20");
            eventually(() -> assertThat(kept(gateway)).isEqualTo(2));
            assertThat(gateway.metric("holdfast_consumer_dead_lettered_total{consumer=\"mine\"}"))
                    .isEqualTo(2);
        }
    }

    @Test
    void discardsAtTheSameMomentCountEachLetterOnce() {
        deliveries.behave(this::failEven);
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 200));
            eventually(() -> assertThat(kept(gateway)).isEqualTo(100));

            CompletableFuture<Long> others = CompletableFuture.supplyAsync(() -> discardAll(gateway));
            long discarded = discardAll(gateway) + others.join();

            assertThat(discarded).isEqualTo(100);
        }
    }

    /** How many, as the answer says. */
    private static long discardAll(GatewayUnderTest gateway) {
        String answer = gateway.manage("/api/v1/dead-letters/discard", "{\"all\":true,\"reason\":\"by hand\"}")
                .body();
        return new JsonObject(answer).getLong("discarded");
    }

    @Test
    void onesThatTheBoundGaveUpAreNotSaidToBeHandled() {
        deliveries.behave(push -> Future.failedFuture(new PermanentFailure("no")));
        GatewaySettings settings =
                new GatewaySettings().consumer("mine", "*", deliveries).section("dead-letters: {max-count: 1}");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 4));

            eventually(() -> assertThat(List.of(
                            delivery(gateway, 1), delivery(gateway, 2), delivery(gateway, 3), delivery(gateway, 4)))
                    .containsExactly(
                            "discarded given up: max-count",
                            "discarded given up: max-count",
                            "discarded given up: max-count",
                            "dead null"));
        }
    }

    /** What became of a push at the only consumer, and why. */
    private static String delivery(GatewayUnderTest gateway, long seq) {
        JsonObject status = new JsonObject(
                        gateway.management("/api/v1/pushes/" + seq).body())
                .getJsonArray("deliveries")
                .getJsonObject(0);
        return status.getString("state") + " " + status.getString("reason");
    }

    @Test
    void theLastAttemptMakesADeadLetterWithTheFirstAndTheLastError() {
        deliveries.behave(
                push -> push.seq() == 1 ? Future.failedFuture("attempt " + push.attempt()) : Future.succeededFuture());
        try (GatewayUnderTest gateway = start("retry: {first-delay: 5ms, max-delay: 5ms, max-attempts: 3}")) {
            push(gateway, envelopes("client.created", "ent-1", 2));

            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(2L));
            assertThat(deliveries.attemptedSeqs()).containsExactly(1L, 1L, 1L, 2L);
            JsonObject letter = letters(gateway, "").getJsonObject(0);
            assertThat(letter.getInteger("attempts")).isEqualTo(3);
            assertThat(letter.getJsonObject("first").getString("error")).endsWith("attempt 1");
            assertThat(letter.getJsonObject("last").getString("error")).endsWith("attempt 3");
        }
    }

    @Test
    void afterTheConfiguredTimeThereIsNoFurtherAttempt() {
        deliveries.behave(push -> push.seq() == 1 ? Future.failedFuture("no") : Future.succeededFuture());
        try (GatewayUnderTest gateway = start("retry: {first-delay: 5ms, max-delay: 5ms, max-age: 2s}")) {
            push(gateway, envelopes("client.created", "ent-1", 2));

            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(2L));
            assertThat(deliveries.attempts()).hasSizeGreaterThan(3);
            assertThat(seqs(letters(gateway, ""))).containsExactly(1L);
        }
    }

    @Test
    void aDiscardThatFailsHalfWaySaysWhoseTheyWereThatAreGone() {
        deliveries.behave(this::failEven);
        HeldStorage<BrokenJournal> storage = HeldStorage.broken();
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage);
                LogLines log = LogLines.atInfo()) {
            push(gateway, envelopes("client.created", "ent-1", 600));
            eventually(() -> assertThat(kept(gateway)).isEqualTo(300));
            DeadLetters letters = storage.journal().store().deadLetters();
            storage.journal().breakStoreWhile(() -> letters.count("mine") < 300);

            HttpAnswer answer =
                    gateway.manage("/api/v1/dead-letters/discard", "{\"all\":true,\"reason\":\"of a test\"}");

            assertThat(answer.status()).isEqualTo(500);
            long gone = 300 - letters.count("mine");
            assertThat(gone).isPositive().isLessThan(300);
            assertThat(log.text())
                    .contains("dead-letters.discard of anonymous from 127.0.0.1: all: true, " + gone
                            + " of them, because: of a test");
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("discarded: of a test"))
                    .hasSize((int) gone);
        }
    }

    @Test
    void aDiscardOfVeryManyIsAnsweredAndAuditedInParts() {
        HeldStorage<BrokenJournal> storage = HeldStorage.broken();
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage);
                LogLines log = LogLines.atInfo()) {
            keep(storage.journal().store().deadLetters(), "mine", 10_300);
            // As many as one part, of a consumer that nothing else is known of.
            keep(storage.journal().store().deadLetters(), "gone", 10_240);

            assertThat(run(gateway, "discard", "--consumer", "gone", "--reason", "of a test"))
                    .isEqualToIgnoringNewLines("10240 are discarded");
            assertThat(run(gateway, "discard", "--all", "--reason", "of a test"))
                    .isEqualToIgnoringNewLines("10300 are discarded");

            assertThat(log.text()).contains("all: true, 10240 of them", "all: true, 60 of them");
            assertThat(letters(gateway, "")).isEmpty();
        }
    }

    private static void keep(DeadLetters letters, String consumer, int count) {
        DeadLetter.Failure failure = new DeadLetter.Failure(System.currentTimeMillis(), "no");
        List<CompletableFuture<Void>> kept = new ArrayList<>();
        for (long seq = 1; seq <= count; seq++) {
            PushRecord push = TestPush.record(seq, TestPush.BODY.getBytes(UTF_8), new RequestHead("", "", "", ""));
            kept.add(letters.save(new DeadLetter(consumer, push, 1, failure, failure))
                    .toCompletableFuture());
        }
        kept.forEach(CompletableFuture::join);
    }

    @Test
    void anErrorThatQuotesThePushIsNotShown() {
        deliveries.behave(push -> Future.failedFuture(
                new IllegalStateException("can't read " + push.body().toString(UTF_8))));
        try (GatewayUnderTest gateway = start("retry: {first-delay: 5ms, max-delay: 5ms, max-attempts: 2}")) {
            gateway.push(envelope("client.created", 1));

            eventually(() -> assertThat(letters(gateway, "")).hasSize(1));
            assertThat(gateway.management("/api/v1/dead-letters").body())
                    .contains("IllegalStateException: (a message that may quote the push)")
                    .doesNotContain("enterprise_token");
        }
    }

    @Test
    void deadLettersOutliveARestartAndAreHandledInOrderWhenRetried() {
        deliveries.behave(this::failEven);
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 9));
            eventually(() -> assertThat(letters(gateway, "")).hasSize(4));
        }
        try (GatewayUnderTest gateway = start()) {
            eventually(() -> assertThat(kept(gateway)).isEqualTo(4));
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 3L, 5L, 7L, 9L));
            broken.set(false);

            HttpAnswer one = gateway.manage("/api/v1/dead-letters/retry", "{\"consumer\":\"mine\",\"seq\":4}");
            assertThat(new JsonObject(one.body()).getInteger("retrying")).isEqualTo(1);
            assertThat(one.body()).contains("behind what was handled");
            eventually(() -> assertThat(seqs(letters(gateway, ""))).containsExactly(2L, 6L, 8L));
            gateway.manage("/api/v1/dead-letters/retry", "{\"all\":true}");
            eventually(() -> assertThat(letters(gateway, "")).isEmpty());

            eventually(() -> assertThat(kept(gateway)).isZero());
            assertThat(deliveries.handledSeqs()).containsExactly(1L, 3L, 5L, 7L, 9L, 4L, 2L, 6L, 8L);
            assertThat(deliveries.handled()).noneMatch(Push::replay);
        }
    }

    @Test
    void aRetriedPushComesBesideWhatWaitsInItsLane() {
        AtomicBoolean stuck = new AtomicBoolean();
        deliveries.behave(push -> push.seq() == 3 && stuck.get() ? Future.failedFuture("not yet") : failEven(push));
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 2));
            eventually(() -> assertThat(letters(gateway, "")).hasSize(1));
            stuck.set(true);
            gateway.push(envelope("client.created", "ent-1", 98));
            gateway.push(envelope("client.created", "ent-1", 99));
            eventually(() -> assertThat(deliveries.attemptedSeqs()).contains(3L));
            broken.set(false);
            gateway.manage("/api/v1/dead-letters/retry", "{\"event\":\"client.*\"}");

            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L));
            stuck.set(false);
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L, 3L, 4L));
        }
    }

    @Test
    void oneThatFailsAgainStaysADeadLetter() {
        deliveries.behave(this::failEven);
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 3));
            eventually(() -> assertThat(letters(gateway, "")).hasSize(1));

            gateway.manage("/api/v1/dead-letters/retry", "{\"all\":true}");

            eventually(() -> assertThat(deliveries.attemptedSeqs()).containsExactly(1L, 2L, 3L, 2L));
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_dead_lettered_total{consumer=\"mine\"}"))
                    .isEqualTo(2));
            eventually(() -> assertThat(kept(gateway)).isEqualTo(1));
            assertThat(letters(gateway, "")).hasSize(1);
        }
    }

    @Test
    void whatCantBeRetriedStaysAndIsNamedWithTheReason() {
        deliveries.behave(this::failEven);
        GatewaySettings settings = new GatewaySettings()
                .consumer("mine", "*", deliveries)
                .consumer("gone", "*", deliveries)
                .consumer("away", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 2));
            eventually(() -> assertThat(letters(gateway, "")).hasSize(3));
        }
        GatewaySettings changed = new GatewaySettings()
                .consumer("mine", "*", deliveries)
                .consumer("away", "*", BadConsumersTest.NeedsDatabase.class.getName(), deliveries);
        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = GatewayUnderTest.start(changed, directory)) {
            JsonObject answer = new JsonObject(
                    gateway.manage("/api/v1/dead-letters/retry", "{\"seq\":2}").body());

            assertThat(answer.getInteger("retrying")).isEqualTo(1);
            assertThat(answer.getJsonArray("staying"))
                    .isEqualTo(new JsonArray("[{\"consumer\":\"away\",\"count\":1,\"because\":\"it is not running\"},"
                            + "{\"consumer\":\"gone\",\"count\":1,\"because\":\"it is not configured\"}]"));
            assertThat(log.text()).contains("dead-letters.retry of anonymous from 127.0.0.1: seq: 2, 1 of them");
            Verb nothing = Verb.run(gateway, "dead-letters", "retry", "--consumer", "away");
            assertThat(nothing.out()).contains("0 are retried\n", "1 of away stays: it is not running");
            assertThat(nothing.status()).isEqualTo(1);
        }
    }

    private static JsonObject page(GatewayUnderTest gateway, String query) {
        return new JsonObject(gateway.management("/api/v1/dead-letters" + query).body());
    }

    /** In the order of the page. */
    private static List<Long> shown(JsonObject page) {
        return page.getJsonArray("deadLetters").stream()
                .map(letter -> ((JsonObject) letter).getLong("seq"))
                .toList();
    }

    @Test
    void oneIsShownWithItsBodyAndARetryIsCountedBeforeAndNamesItsReplay() {
        deliveries.behave(
                push -> broken.get() ? Future.failedFuture(new PermanentFailure("no")) : Future.succeededFuture());
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 2));
            eventually(() -> assertThat(letters(gateway, "")).hasSize(2));

            JsonObject one = new JsonObject(
                    gateway.management("/api/v1/dead-letters/mine/2").body());
            assertThat(one.getBinary("body")).asString(UTF_8).isEqualTo(envelope("client.created", "ent-1", 1));
            assertThat(one.getString("enterprise")).isEqualTo("ent-1");
            assertThat(gateway.management("/api/v1/dead-letters/mine/3").status())
                    .isEqualTo(404);
            assertThat(gateway.management("/api/v1/dead-letters/nobody/2").status())
                    .isEqualTo(404);

            broken.set(false);
            JsonObject counted =
                    new JsonObject(gateway.manage("/api/v1/dead-letters/retry", "{\"all\":true,\"dryRun\":true}")
                            .body());
            assertThat(counted.getInteger("retrying")).isEqualTo(2);
            assertThat(counted.containsKey("replay")).isFalse();
            assertThat(letters(gateway, "")).hasSize(2);

            JsonObject retried = new JsonObject(gateway.manage("/api/v1/dead-letters/retry", "{\"all\":true}")
                    .body());
            assertThat(gateway.management("/api/v1/replays").body()).contains(retried.getString("replay"));
            eventually(() -> assertThat(letters(gateway, "")).isEmpty());
            assertThat(gateway.management("/api/v1/audit").body())
                    .contains("dead-letters.retry")
                    .doesNotContain("dryRun");
        }
    }

    @Test
    void theyAreListedByPagesAndDiscardedWithAReason() {
        deliveries.behave(push -> Future.failedFuture(new PermanentFailure("no")));
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 5));
            push(gateway, envelopes("conversation.closed", "ent-1", 1));
            eventually(() -> assertThat(letters(gateway, "")).hasSize(6));

            JsonObject first = page(gateway, "?limit=2");
            assertThat(shown(first)).containsExactly(6L, 5L);
            JsonObject second = page(gateway, "?limit=3&cursor=" + first.getString("next"));
            assertThat(shown(second)).containsExactly(4L, 3L, 2L);
            JsonObject last = page(gateway, "?limit=3&cursor=" + second.getString("next"));
            assertThat(shown(last)).containsExactly(1L);
            assertThat(last.containsKey("next")).isFalse();
            assertThat(seqs(letters(gateway, "?event=conversation.*"))).containsExactly(6L);
            assertThat(gateway.manage("/api/v1/dead-letters/discard", "{\"all\":true}")
                            .body())
                    .contains("reason");
            assertThat(gateway.manage("/api/v1/dead-letters/discard", "{\"reason\":\"none\"}")
                            .status())
                    .isEqualTo(400);

            assertThat(gateway.manage(
                                    "/api/v1/dead-letters/discard", "{\"all\":true,\"dryRun\":true,\"reason\":\"old\"}")
                            .body())
                    .isEqualTo("{\"discarded\":6}\n");

            HttpAnswer answer =
                    gateway.manage("/api/v1/dead-letters/discard", "{\"event\":\"client.*\",\"reason\":\"too\\nold\"}");

            assertThat(new JsonObject(answer.body()).getInteger("discarded")).isEqualTo(5);
            assertThat(seqs(letters(gateway, ""))).containsExactly(6L);
            eventually(() -> assertThat(kept(gateway)).isEqualTo(1));
            eventually(
                    () -> assertThat(gateway.management("/api/v1/audit").body()).contains("\"reason\":\"too old\""));
        }
    }

    @Test
    void theCommandLineListsRetriesAndDiscards() {
        deliveries.behave(this::failEven);
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 6));
            eventually(() -> assertThat(letters(gateway, "")).hasSize(3));

            assertThat(run(gateway, "list")).containsPattern("mine +2  client.created +1  \\S+Z  ");
            assertThat(new JsonObject(run(gateway, "list", "--output", "json", "--from", "4"))
                            .getJsonArray("deadLetters"))
                    .hasSize(2);
            assertThat(run(gateway, "discard", "--seq", "2", "--reason", "not needed"))
                    .contains("1 is discarded");
            broken.set(false);
            assertThat(run(gateway, "retry", "--all")).contains("2 are retried");
            eventually(() -> assertThat(letters(gateway, "")).isEmpty());
            assertThat(deliveries.handledSeqs()).containsExactly(1L, 3L, 5L, 4L, 6L);
            assertThat(Verb.run(gateway, "dead-letters", "retry").status()).isEqualTo(2);
        }
    }

    private static String run(GatewayUnderTest gateway, String... verb) {
        return Verb.run(gateway, "dead-letters", verb).done();
    }
}
