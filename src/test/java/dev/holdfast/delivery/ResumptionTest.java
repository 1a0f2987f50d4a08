package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumptionTest {
    @TempDir
    Path directory;

    private static PushRecord push(long seq) {
        return new PlannedPush(1, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq);
    }

    /** The journal has lost its end, or was restored from an earlier time than the store. */
    @Test
    void aDeadLetterBeyondTheNewestPushIsNotTakenForTheOneThatGetsItsPosition() {
        List<Long> handled = new CopyOnWriteArrayList<>();
        Life life = new Life(directory, Limits.STANDARD);
        DeadLetter.Failure failure = new DeadLetter.Failure(1, "planned");
        DeadLetter letter = new DeadLetter("one", push(2).at(2), 1, failure, failure);
        life.journal().deadLetters().save(letter).toCompletableFuture().join();
        life.add(Life.consumer("one", 1, Duration.ofMillis(1)), (push, vertx) -> {
            handled.add(push.seq());
            return Future.succeededFuture();
        });

        life.send(Stream.of(1L, 2L, 3L).map(ResumptionTest::push).toList());

        eventually(() -> assertThat(handled).containsExactly(1L, 2L, 3L));
        life.stop();
    }
}
