package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Delivery that is faster than the disk waits for the disk, and for nothing else. */
@Timeout(60)
class CheckpointPaceTest {
    private static final int LANES = 8;
    private static final int PUSHES = 2_000;

    private static final ConsumerConfig CONFIG = Life.consumer("fast", LANES, Duration.ofMillis(10));

    /** A round of all lanes is more than may be handled before a checkpoint; the test is over before the first tick. */
    private static final Limits LIMITS = new Limits(64, 1024, 64, 8, 1, 64, 8, 64, TimeUnit.HOURS.toMillis(1));

    @TempDir
    Path directory;

    private final Set<Long> handled = ConcurrentHashMap.newKeySet();

    private static List<PushRecord> pushes(LongUnaryOperator lane) {
        return LongStream.rangeClosed(1, PUSHES)
                .mapToObj(seq -> new PlannedPush(
                                (int) lane.applyAsLong(seq), "client.created", 0, PlannedPush.Fate.GOOD, 0)
                        .record(seq))
                .toList();
    }

    @Test
    void aCheckpointThatCameTooLateForAllThatWasHandledIsFollowedByTheNextAtOnce() {
        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> {
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        life.send(pushes(seq -> seq % LANES));
        eventually(() -> assertThat(handled).hasSize(PUSHES));
        life.stop();
    }

    @Test
    void whileAnotherLaneHoldsThePositionThereIsNoCheckpointToWaitFor() {
        Promise<Void> slow = Promise.promise();
        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> {
            handled.add(push.seq());
            return push.seq() == 1 ? slow.future() : Future.succeededFuture();
        });
        life.send(pushes(seq -> seq == 1 ? 0 : 1));
        eventually(() -> assertThat(handled).hasSize(PUSHES));
        slow.complete();
        life.stop();
    }
}
