package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.Store;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumptionTest {
    @TempDir
    Path directory;

    private final List<String> handled = new CopyOnWriteArrayList<>();

    private static PushRecord push(int enterprise, long seq) {
        return new PlannedPush(enterprise, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq);
    }

    /** The journal has lost its end, or was restored from an earlier time than the store. */
    @Test
    void noPushGetsThePositionOfADeadLetterAndIsTakenForIt() {
        DeadLetter.Failure failure = new DeadLetter.Failure(1, "planned");
        kept(store -> store.deadLetters().save(new DeadLetter("one", push(1, 2).at(2), 1, failure, failure)));

        assertThatAllAreHandledOnce();
    }

    /** It was not configured meanwhile, so that nothing was kept for it. */
    @Test
    void aConsumerWhosePushesAreNoLongerKeptGoesOnWithTheOldestAndSaysSo() {
        Life life = new Life(directory, Limits.STANDARD);
        life.send(Stream.of(1L, 2L, 3L).map(seq -> push(1, seq)).toList());
        life.journal().removeBelow(4).toCompletableFuture().join();
        life.send(Stream.of(4L).map(seq -> push(1, seq)).toList());
        life.journal()
                .positions()
                .save(new Checkpoint("one", 1, List.of(), List.of()))
                .toCompletableFuture()
                .join();

        try (LogLines log = LogLines.atWarn()) {
            life.add(Life.consumer("one", 1, Duration.ofMillis(1)), (push, vertx) -> {
                handled.add(push.body().toString());
                return Future.succeededFuture();
            });
            eventually(() ->
                    assertThat(handled).containsExactly(new String(push(1, 4).body(), UTF_8)));
            assertThat(log.text()).contains("one: pushes 2 to 3 are no longer kept and were not delivered");
        }
        life.stop();
    }

    @Test
    void noPushGetsThePositionOfABlockedOneAndComesInItsLaneAsWell() {
        BlockedPush.Key key = new BlockedPush.Key(new LaneKeys(List.of()).lane(push(2, 2)), 2);
        kept(store -> store.positions().save(new Checkpoint("one", 0, List.of(new BlockedPush(key, null)), List.of())));

        assertThatAllAreHandledOnce();
    }

    @Test
    void aPushThatIsSpreadAnewByAnotherOrderKeepsItsAttempts() {
        DeadLetter.Failure failure = new DeadLetter.Failure(1, "planned");
        BlockedPush blocked = new BlockedPush(
                new BlockedPush.Key("~of another order", 1), new BlockedPush.RetryState(7, 7, failure, failure, 0));
        Life life = new Life(directory, Limits.STANDARD);
        life.send(List.of(push(1, 1)));
        life.journal()
                .positions()
                .save(new Checkpoint("one", 1, List.of(blocked), List.of()))
                .toCompletableFuture()
                .join();

        life.add(Life.consumer("one", 1, Duration.ofMillis(1)), (push, vertx) -> {
            handled.add("attempt " + push.attempt());
            return Future.succeededFuture();
        });

        eventually(() -> assertThat(handled).containsExactly("attempt 8"));
        life.stop();
    }

    /** By a process whose journal is lost. */
    private void kept(Function<Store, CompletionStage<Void>> what) {
        Life before = new Life(directory, Limits.STANDARD);
        what.apply(before.journal()).toCompletableFuture().join();
        before.stop();
    }

    private void assertThatAllAreHandledOnce() {
        Life without = new Life(directory, Limits.STANDARD);
        without.send(Stream.of(1L, 2L, 3L).map(seq -> push(1, seq)).toList());
        without.stop();
        Life life = new Life(directory, Limits.STANDARD);

        life.add(Life.consumer("one", 1, Duration.ofMillis(1)), (push, vertx) -> {
            handled.add(push.body().toString());
            return Future.succeededFuture();
        });

        eventually(() -> assertThat(handled)
                .contains(Stream.of(1L, 2L, 3L)
                        .map(seq -> new String(push(1, seq).body(), UTF_8))
                        .toArray(String[]::new)));
        eventually(() -> assertThat(life.journal().blockedPushes().count("one")).isZero());
        life.stop();
        assertThat(handled).doesNotHaveDuplicates();
    }
}
