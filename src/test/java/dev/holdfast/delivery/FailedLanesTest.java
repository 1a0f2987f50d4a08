package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of lanes that fail is in memory. */
class FailedLanesTest {
    private static final int LANES = 8;
    private static final int PUSHES = 1_000;
    private static final Limits LIMITS = new Limits(64, LANES, 16, 64, 8, 8, 4, 64, 20);

    @TempDir
    Path directory;

    private volatile boolean fails = true;

    /** Each has a lane of its own. */
    private static Stream<PushRecord> pushes() {
        return IntStream.rangeClosed(1, PUSHES)
                .mapToObj(number ->
                        new PlannedPush(number, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(number));
    }

    @Test
    void lanesThatFailAreBoundedAndGoOnWithAllTheOthersWhenTheyComeOn() {
        Set<Long> handled = ConcurrentHashMap.newKeySet();
        Life life = new Life(directory, LIMITS);
        life.add(Life.consumer("one", 4, Duration.ofMillis(50)), (push, vertx) -> {
            if (fails && push.seq() % 2 == 0) {
                return Future.failedFuture("planned");
            }
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        try (LogLines log = LogLines.atWarn()) {
            life.send(pushes().toList());

            eventually(() -> assertThat(log.text()).contains("lanes fail: it gets no others until some come on"));
        }
        assertThat(life.delivery().views().states().await().get(0).lanesBlocked())
                .isBetween(LANES, LANES + LIMITS.pushes());

        fails = false;

        eventually(() -> assertThat(handled).hasSize(PUSHES));
        life.stop();
    }
}
