package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
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
    void noPushGetsThePositionOfADeadLetterAndIsTakenForIt() {
        DeadLetter.Failure failure = new DeadLetter.Failure(1, "planned");
        DeadLetter letter = new DeadLetter("one", push(2).at(2), 1, failure, failure);
        Life before = new Life(directory, Limits.STANDARD);
        before.journal().deadLetters().save(letter).toCompletableFuture().join();
        before.stop();
        Life without = new Life(directory, Limits.STANDARD);
        without.send(Stream.of(1L, 2L, 3L).map(ResumptionTest::push).toList());
        without.stop();
        List<String> handled = new CopyOnWriteArrayList<>();
        Life life = new Life(directory, Limits.STANDARD);

        life.add(Life.consumer("one", 1, Duration.ofMillis(1)), (push, vertx) -> {
            handled.add(push.body().toString());
            return Future.succeededFuture();
        });

        eventually(() -> assertThat(handled)
                .containsExactlyElementsOf(Stream.of(1L, 2L, 3L)
                        .map(seq -> new String(push(seq).body(), UTF_8))
                        .toList()));
        life.stop();
    }
}
