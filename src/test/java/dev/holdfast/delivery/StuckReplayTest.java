package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replay that can't go on, or can't be stopped at the moment. */
@Timeout(60)
class StuckReplayTest {
    private static final Limits LIMITS = new Limits(64, 1024, 16, 64, 8, 2, 4, 64, 100);

    private static final ConsumerConfig CONFIG = Life.consumer("one", 16, Duration.ofMinutes(10));

    @TempDir
    Path directory;

    private static List<PushRecord> pushes() {
        List<PushRecord> pushes = new ArrayList<>();
        for (int seq = 1; seq <= 20; seq++) {
            boolean good = seq == 7 || seq >= 14;
            pushes.add(new PlannedPush(good ? 99 : seq, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq));
        }
        return pushes;
    }

    @Test
    void aReplayThatCanNotGoOnDoesNotReadTheJournalWithoutEnd() {
        Life life = new Life(directory, LIMITS);
        life.add(
                CONFIG,
                (push, vertx) ->
                        push.enterpriseToken().equals("e99") ? Future.succeededFuture() : Future.failedFuture("stuck"));
        life.send(pushes());
        eventually(
                () -> assertThat(life.delivery().views().states().await().get(0).lanesBackingOff())
                        .isEqualTo(12));
        assertThat(life.delivery().views().states().await().get(0).phase()).isEqualTo(ConsumerState.Phase.RUNNING);
        life.replay(1000).await();
        int before = life.journal().reads();
        long begin = System.nanoTime();
        // Twenty looks, a hundred milliseconds each; more where this thread is held up.
        eventually(() -> assertThat(System.nanoTime() - begin).isGreaterThan(2_000_000_000L));
        int reads = life.journal().reads() - before;
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        life.stop();
        assertThat(reads).isLessThan((int) millis / 10);
    }

    @Test
    void aPushThatFailsWaitsForTheOpenBreakerThoughOneThatIsNewWaitsForItsLane() {
        ConsumerConfig config = Life.consumer(
                "one", 16, new RetryConfig(Duration.ofMillis(5), 1, Duration.ofMinutes(1), 0, null, null));
        Life life = new Life(directory, LIMITS);
        Promise<Void> answer = Promise.promise();
        AtomicInteger failures = new AtomicInteger();
        life.add(config, (push, vertx) -> {
            if (push.replay()) {
                failures.incrementAndGet();
                return Future.failedFuture("stuck");
            }
            return push.seq() == 1 ? Future.succeededFuture() : answer.future();
        });
        life.send(pushes().subList(0, 2));
        eventually(() -> assertThat(life.journal().positions().all()).containsEntry("one", 1L));
        life.replay(1000).await();
        until(() -> failures.get() == CircuitBreaker.THRESHOLD);
        long opened = System.nanoTime();

        until(() -> failures.get() == CircuitBreaker.THRESHOLD + 2);

        // The breaker's first two waits.
        assertThat(System.nanoTime() - opened).isGreaterThan(2_500_000_000L);
        answer.complete();
        life.stop();
    }

    @Test
    void aReplayThatWaitsForItsConsumerAfterACrashIsShownAsFarAsItWasKept() {
        Life killed = new Life(directory, LIMITS);
        killed.add(
                CONFIG,
                (push, vertx) ->
                        push.replay() && push.seq() > 10 ? Promise.promise().future() : Future.succeededFuture());
        killed.send(pushes());
        eventually(() -> assertThat(killed.delivery().neededFrom()).isEqualTo(21));
        killed.replay(1000).await();
        until(() -> killed.delivery().neededFrom() == 11);
        killed.crash();

        Life life = new Life(directory, LIMITS);

        ReplayState shown = life.delivery().replays().states().await().get(0);
        assertThat(shown.stage()).isEqualTo(ReplayState.Stage.WAITING);
        assertThat(shown.replay().progress().get(0).next()).isEqualTo(11);
        life.stop();
    }

    @Test
    void aReplayWhoseStopCouldNotBeKeptCanBeStoppedAgain() {
        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> Future.failedFuture("stuck"));
        life.send(pushes());
        String id = life.replay(1).await().id();
        life.journal().die();
        Future<Boolean> failed = life.delivery().replays().stop(id);
        eventually(() -> assertThat(failed.isComplete()).isTrue());
        assertThat(failed.failed()).isTrue();
        life.journal().dieAfter(Integer.MAX_VALUE);

        assertThat(life.delivery().replays().stop(id).await()).isTrue();
        life.stop();
    }

    @Test
    void theEndWaitsForAReplayThatIsBeingStopped() {
        Life life = new Life(directory, LIMITS);
        life.add(
                CONFIG,
                (push, vertx) ->
                        push.replay() && push.seq() == 7 ? Future.failedFuture("stuck") : Future.succeededFuture());
        life.send(pushes());
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(21));
        life.journal().holdCursors();
        String id = life.replay(1000).await().id();
        until(() -> life.journal().waitingCursors() > 0);

        Future<Boolean> stopped = life.delivery().replays().stop(id);
        Future<Void> finished = life.delivery().finish(Life.TIMEOUT);
        life.journal().keepAgain();
        finished.await();

        assertThat(stopped.isComplete()).isTrue();
        life.stop();
    }

    @Test
    void aStoppedReplayLeavesNothingBehindWhenWhatWasUnderWayComesBack() {
        Limits limits = new Limits(64, 1024, 16, 64, 1, 2, 4, 64, 100);
        Life life = new Life(directory, limits);
        Promise<Void> answer = Promise.promise();
        AtomicBoolean replayed = new AtomicBoolean();
        life.add(CONFIG, (push, vertx) -> {
            replayed.compareAndSet(false, push.replay());
            return push.replay() ? answer.future() : Future.succeededFuture();
        });
        life.send(pushes().subList(0, 1));
        String id = life.replay(1).await().id();
        eventually(() -> assertThat(replayed).isTrue());
        assertThat(life.delivery().replays().stop(id).await()).isTrue();

        answer.complete();
        // Is of the lane that the replay had under way: it comes when that has come back.
        life.send(List.of(new PlannedPush(1, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(2)));
        eventually(() -> assertThat(life.journal().positions().all()).containsEntry("one", 2L));
        assertThat(life.journal().positions().all()).containsOnlyKeys("one");
        life.stop();
    }
}
