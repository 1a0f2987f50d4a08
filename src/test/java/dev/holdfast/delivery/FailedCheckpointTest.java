package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store that can keep nothing for a while: what a checkpoint had is in a later one. */
@Timeout(60)
class FailedCheckpointTest {
    private static final Limits LIMITS = new Limits(64, 1024, 16, 64, 8, 8, 4, 64, 10);
    private static final int PUSHES = 5;

    @TempDir
    Path directory;

    private final Set<Long> handled = ConcurrentHashMap.newKeySet();
    private volatile boolean fails = true;

    /** Each has a lane of its own. */
    private static List<PushRecord> pushes() {
        return LongStream.rangeClosed(1, PUSHES)
                .mapToObj(seq -> pushOf((int) seq, seq))
                .toList();
    }

    private static PushRecord pushOf(int enterprise, long seq) {
        return new PlannedPush(enterprise, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq);
    }

    private Life begin(Duration delay) {
        Life life = new Life(directory, LIMITS);
        life.add(Life.consumer("one", 4, delay), (push, vertx) -> {
            if (fails) {
                return Future.failedFuture("planned");
            }
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        return life;
    }

    /** The store has tried to keep it, and once more. */
    private static void awaitFailures(Life life) {
        eventually(() -> assertThat(
                        life.registry().get("holdfast.store.failures").counter().count())
                .isGreaterThanOrEqualTo(2));
    }

    @Test
    void whatItReleasedIsReleasedLater() {
        Life life = begin(Duration.ofMillis(20));
        life.send(pushes());
        eventually(() -> assertThat(life.journal().blockedPushes().count("one")).isEqualTo(PUSHES));

        life.journal().breakStore(true);
        fails = false;
        eventually(() -> assertThat(handled).hasSize(PUSHES));
        awaitFailures(life);
        life.journal().breakStore(false);

        eventually(() -> assertThat(life.journal().blockedPushes().count("one")).isZero());
        life.stop();
    }

    @Test
    void whatItNotedIsNotedLaterWithItsAttempts() {
        // Nothing is tried once more, which would be noted for itself.
        Life life = begin(Duration.ofHours(1));
        life.journal().breakStore(true);
        life.send(pushes());
        awaitFailures(life);
        life.journal().breakStore(false);

        eventually(() -> assertThat(life.journal().blockedPushes().count("one")).isEqualTo(PUSHES));
        assertThat(life.journal().blockedPushes().firstOfEachLane("one", PUSHES))
                .hasSize(PUSHES)
                .allSatisfy(push -> assertThat(push.retry()).isNotNull());
        life.stop();
    }

    @Test
    void whatIsBeingNotedComesWhenItsTurnHasCome() {
        Promise<Void> second = Promise.promise();
        Life life = new Life(directory, LIMITS);
        life.add(Life.consumer("one", 4, Duration.ofMillis(1)), (push, vertx) -> {
            if (push.seq() == 1 && push.attempt() == 1) {
                return Future.failedFuture("planned");
            }
            handled.add(push.seq());
            return push.seq() == 1 ? second.future() : Future.succeededFuture();
        });
        life.send(List.of(pushOf(1, 1)));
        eventually(() -> assertThat(handled).hasSize(1));
        eventually(() -> assertThat(life.journal().blockedPushes().count("one")).isEqualTo(1));
        life.journal().holdCursors();
        life.send(List.of(pushOf(1, 2)));
        eventually(() -> assertThat(life.journal().waitingCursors()).isEqualTo(1));

        second.complete();

        eventually(() -> assertThat(handled).containsExactlyInAnyOrder(1L, 2L));
        life.stop();
    }

    @Test
    void whatItNotedIsNotPassedWhenTheStoreTurnsOutToHaveLostIt() throws IOException {
        Life life = begin(Duration.ofHours(1));
        life.send(List.of(pushOf(1, 1)));
        eventually(() -> assertThat(life.journal().blockedPushes().count("one")).isEqualTo(1));
        fails = false;
        life.journal().breakStore(true);
        damageTheEndOfItsLog();
        life.send(List.of(pushOf(2, 2)));
        eventually(() -> assertThat(
                        life.registry().get("holdfast.store.failures").counter().count())
                .isPositive());
        life.journal().breakStore(false);
        until(() -> life.journal().closedBecause().contains("damaged")
                || life.journal().positions().all().getOrDefault("one", 0L) == 2);
        life.crash();

        Life next = begin(Duration.ofMillis(1));

        eventually(() -> assertThat(handled).contains(1L));
        next.stop();
    }

    private void damageTheEndOfItsLog() throws IOException {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory.resolve("store"), "*.log")) {
            for (Path log : logs) {
                byte[] bytes = Files.readAllBytes(log);
                bytes[bytes.length - 1] ^= 1;
                Files.write(log, bytes);
            }
        }
    }
}
