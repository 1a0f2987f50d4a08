package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.LogLines;
import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.journal.TrialJournal;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BrokenStore;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.RocksStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Consumers that come and go: what is left of them. */
@Timeout(90)
class ConfiguredConsumersTest {
    private static final Limits LIMITS = new Limits(64, 1024, 16, 64, 8, 8, 4, 64, 20);

    /** Checkpoints are made at ticks only, each before it is looked at what is needed. */
    private static final Limits AT_TICKS = new Limits(64, 1024, 4, 1000, 1000, 8, 4, 64, 10);

    private static final ConsumerConfig CONFIG = Life.consumer("one", 4, Duration.ofMillis(5));

    @TempDir
    Path directory;

    private static List<PushRecord> pushes(long count) {
        return LongStream.rangeClosed(1, count)
                .mapToObj(seq -> new PlannedPush((int) seq, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq))
                .toList();
    }

    @Test
    void nothingIsLeftOfADeliveryThatEndedWhileItsConsumerFailedEverything() {
        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> Future.failedFuture("down"));
        life.send(pushes(100));
        WeakReference<Subscription> first = slowed(life);

        life.delivery().consumers().takeOut("one").await();
        life.deliver(CONFIG);

        eventually(() -> {
            System.gc();
            assertThat(first.get()).isNull();
        });
        life.stop();
    }

    private static WeakReference<Subscription> slowed(Life life) {
        until(() -> life.delivery().views().states().await().get(0).phase()
                == dev.holdfast.consumer.ConsumerState.Phase.SLOWED);
        return new WeakReference<>(life.delivery().consumers().subscription("one"));
    }

    @Test
    void aConsumerThatCouldNotBeAddedIsGivenUpForAsOthers() throws Exception {
        Life life = new Life(directory, LIMITS);
        life.journal().die();
        life.delivery().consumers().reserve(CONFIG).otherwiseEmpty().await();
        assertThat(catchThrowable(() -> adding(life).await())).isNotNull();
        life.journal().dieAfter(Integer.MAX_VALUE);
        life.delivery().consumers().reserve(CONFIG).await();
        life.send(pushes(20));

        life.delivery().giveUp(11).toCompletableFuture().get(40, TimeUnit.SECONDS);

        assertThat(life.delivery().neededFrom()).isEqualTo(11);
        life.stop();
    }

    @Test
    void aPlaceBeyondTheNewestPushIsKeptWhereTheConsumerGoesOn() {
        Life life = new Life(directory, LIMITS);
        life.send(pushes(20));
        life.journal()
                .positions()
                .save(new Checkpoint("one", 50, List.of(), List.of()))
                .toCompletableFuture()
                .join();

        life.delivery().consumers().reserve(CONFIG).await();

        assertThat(life.journal().positions().all()).containsEntry("one", 20L);
        assertThat(life.delivery().neededFrom()).isEqualTo(21);
        life.stop();
    }

    @Test
    void aPushThatWasHandedOnIsNoDeadLetterWhenItsFirstCallFailsLate() {
        Life life = new Life(directory, LIMITS, Duration.ofMillis(100));
        Promise<Void> late = Promise.promise();
        AtomicInteger attempts = new AtomicInteger();
        life.add(CONFIG, (push, vertx) -> attempts.incrementAndGet() == 1 ? late.future() : Future.succeededFuture());
        life.send(pushes(1));
        until(() -> attempts.get() == 1);
        life.delivery().consumers().takeOut("one").await();
        life.deliver(CONFIG);
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(2));

        late.fail(new PermanentFailure("planned"));
        // Answered after it, on the same ways, and kept after a dead letter of it would have been.
        life.send(pushes(2).subList(1, 2));
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(3));

        assertThat(life.journal().deadLetters().count("one")).isZero();
        life.stop();
    }

    @Test
    void nothingIsKeptForAConsumerThatIsRemovedWhileItWaitsForItsOwnEndToBeAddedAgain() {
        Life life = new Life(directory, LIMITS);
        Promise<Void> answer = Promise.promise();
        AtomicInteger attempts = new AtomicInteger();
        addWithAPushUnderWay(life, attempts, answer.future());

        Future<Void> out = life.delivery().consumers().takeOut("one");
        Future<Void> added = adding(life);
        Future<Void> removed = life.delivery().consumers().remove("one");
        answer.complete();
        Future.join(out, added, removed).await();

        assertThat(life.delivery().neededFrom()).isEqualTo(Long.MAX_VALUE);
        life.stop();
    }

    @Test
    void nothingIsKeptForAConsumerThatIsRemovedJustBeforeItIsAdded() {
        Life life = new Life(directory, LIMITS);
        life.delivery().consumers().reserve(CONFIG).await();

        Future<Void> removed = life.delivery().consumers().remove("one");
        Future<Void> added = adding(life);
        Future.join(removed, added).otherwiseEmpty().await();

        assertThat(added.cause()).hasMessage("consumer one is no longer wanted");
        assertThat(life.delivery().consumers().names()).isEmpty();
        assertThat(life.delivery().consumers().there()).isEmpty();
        life.stop();
    }

    @Test
    void aConsumerThatIsAddedOnceMoreIsDeliveredToOnce() {
        Life life = new Life(directory, LIMITS);
        Promise<Void> answer = Promise.promise();
        AtomicInteger attempts = new AtomicInteger();
        addWithAPushUnderWay(life, attempts, answer.future());

        Future<Void> added = adding(life);
        answer.complete();
        added.await();
        life.send(pushes(2).subList(1, 2));
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(3));

        assertThat(attempts).hasValue(2);
        life.stop();
    }

    /** @param answer what becomes of each push */
    private static void addWithAPushUnderWay(Life life, AtomicInteger attempts, Future<Void> answer) {
        life.add(CONFIG, (push, vertx) -> {
            attempts.incrementAndGet();
            return answer;
        });
        life.send(pushes(1));
        until(() -> attempts.get() == 1);
    }

    private static Future<Void> adding(Life life) {
        return life.delivery().consumers().add(CONFIG, new ConsumerContext("one", CONFIG.timeout(), "visitor.updated"));
    }

    @Test
    void nobodyIsAddedOnceItIsOver() {
        Life life = new Life(directory, LIMITS);
        life.delivery().consumers().reserve(CONFIG).await();

        Future<Void> added = adding(life);
        Future<Void> finished = life.delivery().finish(Life.TIMEOUT);
        Future.join(added, finished).otherwiseEmpty().await();

        assertThat(life.delivery().consumers().subscription("one")).isNull();
        life.stop();
    }

    @Test
    void whatIsAskedForLastIsWhatAConsumerIs() {
        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> Future.succeededFuture());
        ConfiguredConsumers consumers = life.delivery().consumers();

        Future<Boolean> paused = consumers.pause("one");
        Future<Boolean> resumed = consumers.resume("one");
        Future.join(paused, resumed).await();
        assertThat(life.journal().consumerMarks().paused()).isEmpty();

        Future.join(consumers.pause("one"), consumers.resume("one"), consumers.pause("one"))
                .await();
        assertThat(life.journal().consumerMarks().paused()).containsOnlyKeys("one");
        life.stop();
    }

    @Test
    void aConsumerGoesOnThoughItsResumeWasKeptAndSaidNotToBe() {
        Life life = new Life(directory, LIMITS);
        Set<Long> handled = ConcurrentHashMap.newKeySet();
        life.add(CONFIG, (push, vertx) -> {
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        ConfiguredConsumers consumers = life.delivery().consumers();
        consumers.pause("one").await();
        life.journal().breakSyncs(true);
        assertThat(catchThrowable(() -> consumers.resume("one").await())).isNotNull();
        life.journal().breakSyncs(false);
        eventually(() -> assertThat(life.journal().consumerMarks().paused()).isEmpty());

        assertThat(consumers.resume("one").await()).isTrue();

        life.send(pushes(1));
        eventually(() -> assertThat(handled).containsExactly(1L));
        life.stop();
    }

    @Test
    void nothingIsMeasuredOfAConsumerThatIsRemoved() {
        Life life = new Life(directory, LIMITS);
        List<String> before = meters(life);
        life.add(CONFIG, (push, vertx) -> Future.succeededFuture());
        assertThat(meters(life)).hasSizeGreaterThan(before.size());

        life.delivery().consumers().remove("one").await();

        assertThat(meters(life)).isEqualTo(before);
        life.stop();
    }

    private static List<String> meters(Life life) {
        return life.registry().getMeters().stream()
                .map(meter -> meter.getId().toString())
                .sorted()
                .toList();
    }

    @Test
    void theEndWaitsForAConsumerThatIsBeingRemoved() {
        Life life = new Life(directory, LIMITS);
        AtomicInteger attempts = new AtomicInteger();
        life.add(CONFIG, (push, vertx) -> {
            attempts.incrementAndGet();
            return vertx.timer(1_000);
        });
        life.send(pushes(1));
        until(() -> attempts.get() == 1);

        Future<Void> removed = life.delivery().consumers().remove("one");
        life.delivery().finish(Life.TIMEOUT).await();

        assertThat(removed.isComplete()).isTrue();
        life.stop();
    }

    @Test
    void noLaneIsShownAsBlockedThatWasDoneWhileSomebodyLooked() {
        Life life = new Life(directory, LIMITS);
        Set<Long> failed = ConcurrentHashMap.newKeySet();
        life.add(
                CONFIG,
                (push, vertx) -> push.seq() % 2 == 0 && failed.add(push.seq())
                        ? Future.failedFuture("once")
                        : Future.succeededFuture());
        life.send(LongStream.rangeClosed(1, 2_000)
                .mapToObj(seq -> new PlannedPush((int) seq, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq))
                .toList());

        while (life.delivery().neededFrom() <= 2_000) {
            assertThat(life.delivery().views().lanes("one").await().lanes()).allMatch(lane -> lane.waiting() > 0);
        }
        life.stop();
    }

    @Test
    void thatAConsumerCanNotGoOnIsToldOnceHoweverOftenItWasStopped() {
        Vertx vertx = Vertx.vertx();
        try (LogLines log = LogLines.atWarn();
                TrialJournal journal = TrialJournal.open(directory.resolve("journal"), new SimpleMeterRegistry())) {
            RocksStore store = BrokenStore.open(directory.resolve("other"), new SimpleMeterRegistry(), () -> false);
            ConfiguredConsumers consumers =
                    new ConfiguredConsumers(TrialContext.of(vertx, journal, store), Duration.ofSeconds(10));
            consumers.reserve(CONFIG).await();
            consumers
                    .add(CONFIG, new ConsumerContext("one", CONFIG.timeout(), "visitor.updated"))
                    .await();
            store.close();

            for (int i = 0; i < 20; i++) {
                assertThat(catchThrowable(() -> consumers.giveUp(5).await())).isNotNull();
            }

            consumers.takeOut("one").await();
            assertThat(log.lines().stream().filter(line -> line.contains("one: can't go on yet")))
                    .hasSize(1);
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void whatIsMeasuredOfAConsumerLeavesNoTraceInTheLogWhileTheStoreIsAway() {
        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> Future.succeededFuture());
        life.stop();

        try (LogLines log = LogLines.atWarn()) {
            assertThat(life.registry()
                            .get("holdfast.consumer.dead.letter.oldest.seconds")
                            .gauge()
                            .value())
                    .isNaN();
            assertThat(log.lines()).isEmpty();
        }
    }

    /** The first one has a lane of its own. */
    private static List<PushRecord> apart(long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(seq ->
                        new PlannedPush(seq == 1 ? 1 : 2, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq))
                .toList();
    }

    private static void handledBeyond(Life life, long seq) {
        eventually(
                () -> assertThat(life.delivery().views().states().await().get(0).handled())
                        .isGreaterThan(seq));
    }

    @Test
    void aPushThatIsStillUnderWayWhileOthersGoFarAheadIsNeeded() {
        Life life = new Life(directory, AT_TICKS);
        Promise<Void> answer = Promise.promise();
        life.add(CONFIG, (push, vertx) -> push.seq() == 1 ? answer.future() : Future.succeededFuture());
        life.send(apart(1, 20));
        handledBeyond(life, 10);
        life.send(apart(21, 40));
        handledBeyond(life, 30);

        assertThat(life.delivery().neededFrom()).isEqualTo(1);

        answer.complete();
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(41));
        life.stop();
    }
}
