package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lanes of a consumer that fail, many of them. */
class FailedLanesTest {
    private static final int LANES = 8;
    private static final int PUSHES = 1_000;
    private static final Limits LIMITS = new Limits(64, LANES, 16, 64, 8, 8, 4, 64, 20);

    @TempDir
    Path directory;

    private volatile boolean fails = true;

    /** Each has a lane of its own. */
    private static Stream<PushRecord> pushes() {
        return IntStream.rangeClosed(1, PUSHES).mapToObj(FailedLanesTest::push);
    }

    private static PushRecord push(int number) {
        return new PlannedPush(number, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(number);
    }

    private BiFunction<Push, Vertx, Future<?>> everyOther(Set<Long> handled) {
        return (push, vertx) -> {
            if (fails && push.seq() % 2 == 0) {
                return Future.failedFuture("planned");
            }
            handled.add(push.seq());
            return Future.succeededFuture();
        };
    }

    @Test
    void lanesThatFailAreBoundedAndGoOnWithAllTheOthersWhenTheyComeOn() {
        Set<Long> handled = ConcurrentHashMap.newKeySet();
        Life life = new Life(directory, LIMITS);
        // Before: what was committed together is taken together, however many they are.
        life.send(pushes().toList());
        try (LogLines log = LogLines.atWarn()) {
            life.add(Life.consumer("one", 4, Duration.ofMillis(50)), everyOther(handled));

            eventually(
                    () -> assertThat(log.text()).contains("lanes wait for a retry: it gets no pushes of other lanes"));
        }
        assertThat(life.delivery().views().states().await().get(0).lanesBlocked())
                .isBetween(LANES, LANES + LIMITS.pushes());

        fails = false;

        eventually(() -> assertThat(handled).hasSize(PUSHES));
        life.stop();
    }

    /** Half of the lanes are blocked, and their pushes are on the disk only. */
    private Life blocked(RetryConfig retry, Set<Long> handled) {
        Life life = new Life(directory, new Limits(64, 1024, 16, 64, 8, 8, 4, 64, 20));
        life.add(Life.consumer("one", 4, retry), everyOther(handled));
        life.send(pushes().toList());
        eventually(() -> assertThat(life.journal().blockedPushes().count("one")).isEqualTo(PUSHES / 2));
        // What is blocked leaves the memory for it.
        life.send(List.of(push(PUSHES + 1)));
        eventually(() -> assertThat(handled).hasSize(PUSHES / 2 + 1));
        return life;
    }

    @Test
    void lanesThatCanNotBeReadBackFloodNoLog() {
        Set<Long> handled = ConcurrentHashMap.newKeySet();
        Life life = blocked(new RetryConfig(Duration.ofMillis(1), 2, Duration.ofMillis(50), 0, null, null), handled);

        try (LogLines log = LogLines.atWarn()) {
            life.journal().denyReads(true);
            fails = false;
            eventually(() -> assertThat(life.journal().deniedReads()).isGreaterThan(500));

            assertThat(log.lines())
                    .filteredOn(line -> line.contains("its pushes can't be sent to it"))
                    .hasSizeBetween(1, 10);
        }
        life.journal().denyReads(false);
        eventually(() -> assertThat(handled).hasSize(PUSHES + 1));
        life.stop();
    }

    /** Each for about as long as the disk was away, however many there are. */
    @Test
    void aMomentWithoutTheDiskHoldsNoLaneUpForLong() {
        Set<Long> handled = ConcurrentHashMap.newKeySet();
        RetryConfig retry = new RetryConfig(Duration.ofMillis(1), 2, Duration.ofHours(1), 0, null, null);
        blocked(retry, handled).stop();
        // In a life in which no failures have slowed the consumer.
        Life life = new Life(directory, LIMITS);
        life.journal().denyReads(true);
        fails = false;
        life.add(Life.consumer("one", 4, retry), everyOther(handled));
        eventually(() -> assertThat(life.journal().deniedReads()).isGreaterThan(100));
        life.journal().denyReads(false);

        eventually(() -> assertThat(handled).hasSize(PUSHES + 1));
        life.stop();
    }

    /** An attempt that hangs keeps its place for the whole of its timeout. */
    @Test
    void lanesWhoseAttemptsHangLeavePlacesToThoseThatWork() {
        Set<Long> handled = ConcurrentHashMap.newKeySet();
        Promise<Object> end = Promise.promise();
        Life life = new Life(directory, new Limits(64, 1024, 16, 64, 8, 8, 4, 64, 20));
        life.add(Life.consumer("one", 4, Duration.ofMillis(1)), (push, vertx) -> {
            if (push.seq() <= LANES) {
                return push.attempt() == 1 ? Future.failedFuture("planned") : end.future();
            }
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        life.send(pushes().limit(LANES).toList());

        for (int number = LANES + 1; number < 100; number++) {
            long seq = number;
            life.send(List.of(push(number)));
            eventually(() -> assertThat(handled).contains(seq));
        }
        end.complete();
        life.stop();
    }
}
