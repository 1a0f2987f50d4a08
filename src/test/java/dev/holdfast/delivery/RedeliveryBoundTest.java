package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the README says of a crash, with the limits that a gateway runs with. */
@Timeout(90)
class RedeliveryBoundTest {
    private static final Limits LIMITS = Limits.STANDARD;
    private static final int LANES = 3;
    private static final int PUSHES = 20_000;
    /** The other lanes' pushes are handled beyond it. */
    private static final long FAILS = 5_000;

    private static final long NEWEST_SAVED = FAILS + LIMITS.ahead() - 1;

    private static final int NEWER = 500;

    private static final ConsumerConfig CONFIG = Life.consumer("one", LANES, Duration.ofMillis(10));

    @TempDir
    Path directory;

    private final Set<Long> handled = ConcurrentHashMap.newKeySet();
    private final Set<Long> again = ConcurrentHashMap.newKeySet();

    /** The one that fails has a lane of its own. */
    private static List<PushRecord> pushes(long from, long to) {
        List<PushRecord> pushes = new ArrayList<>();
        for (long seq = from; seq <= to; seq++) {
            int lane = seq == FAILS ? 0 : 1 + (int) (seq % LANES);
            pushes.add(new PlannedPush(lane, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq));
        }
        return pushes;
    }

    private Future<?> fail(Push push) {
        return push.seq() == FAILS ? Future.failedFuture("planned") : handle(push);
    }

    private Future<?> handle(Push push) {
        handled.add(push.seq());
        return Future.succeededFuture();
    }

    private Future<?> remember(Push push) {
        again.add(push.seq());
        return Future.succeededFuture();
    }

    @Test
    void afterACrashNoMorePushesComeAgainThanTheReadmeSays() {
        int underWay = LANES * LIMITS.ofLanes(LANES).batch();
        // What was handled when the last save could still be written is known but for so many.
        int unsure = LIMITS.saveEvery() + underWay;
        Life first = new Life(directory, LIMITS);
        first.add(CONFIG, (push, vertx) -> fail(push));
        first.send(pushes(1, NEWEST_SAVED));
        // Only the last checkpoint says that all of them are saved; the one that fails is noted long before.
        eventually(() -> assertThat(first.journal().positions().all()).containsEntry("one", NEWEST_SAVED));
        assertThat(handled).hasSize((int) NEWEST_SAVED - 1);
        first.journal().holdCursors();
        first.send(pushes(NEWEST_SAVED + 1, PUSHES));
        eventually(() -> assertThat(handled).hasSizeGreaterThan((int) NEWEST_SAVED + LIMITS.unsaved() - unsure));
        first.crash();

        Life second = new Life(directory, LIMITS);
        second.add(CONFIG, (push, vertx) -> remember(push));
        Set<Long> all = new HashSet<>(LongStream.rangeClosed(1, PUSHES).boxed().toList());
        eventually(() -> {
            Set<Long> seen = new HashSet<>(handled);
            seen.addAll(again);
            assertThat(seen).isEqualTo(all);
        });
        second.stop();
        again.retainAll(handled);

        assertThat(LIMITS.unsaved() + LIMITS.ahead()).isEqualTo(8192);
        // The one that fails is noted, and holds the position back no longer.
        assertThat(again).hasSizeBetween(LIMITS.unsaved() - unsure, LIMITS.unsaved() + underWay);
    }

    @Test
    void norDoOfAReplay() {
        int underWay = LANES * LIMITS.ofLanes(LANES).batch();
        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> push.replay() ? remember(push) : handle(push));
        life.send(pushes(1, PUSHES));
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(PUSHES + 1));
        life.journal().holdCursors();
        life.replay(Integer.MAX_VALUE).await();
        eventually(() -> assertThat(again).hasSizeGreaterThan(LIMITS.unsaved() - LIMITS.saveEvery() - underWay));
        // The replay has its turns with each: it would go on meanwhile.
        for (long seq = PUSHES + 1; seq <= PUSHES + NEWER; seq++) {
            life.send(pushes(seq, seq));
            long newest = seq;
            until(() -> handled.contains(newest));
        }

        assertThat(again).hasSizeLessThanOrEqualTo(LIMITS.unsaved() + underWay);
        life.stop();
    }

    /** As the README says of a stop: what was handled beyond it is noted to be done. */
    @Test
    void afterAStopNothingComesAgainButWhatWasUnderWay() {
        Life stopped = new Life(directory, LIMITS, Duration.ofMillis(10));
        stopped.add(CONFIG, (push, vertx) -> push.seq() == 1 ? Promise.promise().future() : handle(push));
        stopped.send(pushes(1, 10));
        eventually(() -> assertThat(handled).contains(2L, 3L, 5L, 6L, 8L, 9L));
        stopped.stop();
        Set<Long> before = Set.copyOf(handled);

        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> {
            again.add(push.seq());
            return Future.succeededFuture();
        });

        eventually(() -> assertThat(again).contains(1L, 4L, 7L, 10L));
        life.stop();
        assertThat(again).doesNotContainAnyElementsOf(before);
    }
}
