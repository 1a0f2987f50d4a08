package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A consumer that catches up while pushes come in leaves the machine to the receiver. */
@Timeout(60)
class CatchUpShareTest {
    private static final int LANES = 8;
    private static final int BEHIND = 3_000;
    private static final int SAVED_UP = 1_000;
    private static final int A_SECOND = 750 * Runtime.getRuntime().availableProcessors();

    private static final ConsumerConfig CONFIG = Life.consumer("behind", LANES, Duration.ofMillis(10));

    /** So long are pushes taken to come in after each that does. */
    private static final Limits LIMITS =
            new Limits(6144, 1024, 4096, 4096, 512, 512, 256, 2048, TimeUnit.HOURS.toMillis(1));

    @TempDir
    Path directory;

    private static List<PushRecord> pushes(long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(seq ->
                        new PlannedPush((int) (seq % LANES), "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq))
                .toList();
    }

    @Test
    void whatComesInIsHandledAtOnceAndTheRestInItsTime() {
        AtomicInteger handled = new AtomicInteger();
        Life life = new Life(directory, LIMITS);
        life.send(pushes(1, BEHIND));
        long began = System.nanoTime();

        life.add(CONFIG, (push, vertx) -> Future.succeededFuture(handled.incrementAndGet()));

        int sent = BEHIND;
        while (handled.get() < BEHIND) {
            sent++;
            life.send(pushes(sent, sent));
            int sofar = handled.get();
            double seconds = (System.nanoTime() - began) / 1e9;
            assertThat((double) sofar).isLessThanOrEqualTo(SAVED_UP + A_SECOND * seconds + sent - BEHIND);
        }
        assertThat(sent).isGreaterThan(BEHIND + 1);
        life.stop();
    }

    @Test
    void whoIsBehindGoesOnWhenNothingElseHappens() {
        AtomicInteger handled = new AtomicInteger();
        Life life = new Life(directory, LIMITS);
        life.send(pushes(1, BEHIND));

        life.add(CONFIG, (push, vertx) -> Future.succeededFuture(handled.incrementAndGet()));

        eventually(() -> assertThat(handled).hasValue(BEHIND));
        life.stop();
    }

    @Test
    void aConsumerThatKeepsUpWaitsForNothing() {
        AtomicInteger handled = new AtomicInteger();
        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> Future.succeededFuture(handled.incrementAndGet()));

        life.send(pushes(1, 4 * SAVED_UP));

        eventually(() -> assertThat(handled).hasValue(4 * SAVED_UP));
        life.stop();
    }

    /** What is read on while lanes wait for the share is only noted: one failure would have all of the backlog written anew. */
    @Test
    void aFailureNowAndThenDoesNotPutTheBacklogIntoTheStore() {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger handled = new AtomicInteger();
        Life life = new Life(directory, LIMITS);
        life.send(pushes(1, 20_000));

        life.add(
                CONFIG,
                (push, vertx) -> calls.incrementAndGet() % 500 == 0
                        ? Future.failedFuture("now and then")
                        : Future.succeededFuture(handled.incrementAndGet()));

        eventually(() -> assertThat(handled.get()).isGreaterThan(4_000));
        assertThat(life.journal().blockedPushes().count(CONFIG.name())).isLessThan(1_000);
        life.stop();
    }

    @Test
    void aReplayKeepsToItsRateAndPutsNothingIntoTheStore() {
        AtomicInteger live = new AtomicInteger();
        AtomicInteger again = new AtomicInteger();
        Life life = new Life(directory, Limits.STANDARD);
        life.add(CONFIG, (push, vertx) -> Future.succeededFuture((push.replay() ? again : live).incrementAndGet()));
        life.send(pushes(1, BEHIND));
        eventually(() -> assertThat(live).hasValue(BEHIND));

        long began = System.nanoTime();
        String id = life.replay(100).await().id();

        eventually(() -> assertThat(again.get()).isGreaterThan(400));
        int sofar = again.get();
        assertThat((double) sofar).isLessThanOrEqualTo(1 + 100 * ((System.nanoTime() - began) / 1e9));
        assertThat(life.journal().blockedPushes().count("replay/" + id + "/" + CONFIG.name()))
                .isZero();
        life.stop();
    }

    @Test
    void noMoreIsSavedUpThanABurst() {
        Vertx vertx = Vertx.vertx();
        RateLimiter limiter = new RateLimiter(1_000_000, 10, vertx, () -> {});
        long begun = System.nanoTime();
        until(() -> System.nanoTime() - begun > 1_000_000);

        assertThat(limiter.left()).isEqualTo(10);

        vertx.close().await();
    }
}
