package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is kept in the journal for a consumer whose position is past it. */
@Timeout(60)
class NeededPushTest {
    private static final ConsumerConfig CONFIG = new ConsumerConfig(
            "one",
            List.of("*"),
            "counting",
            ConsumerConfig.Start.EARLIEST,
            List.of(),
            2,
            2,
            ConsumerConfig.Threading.WORKER,
            Duration.ofSeconds(50),
            new RetryConfig(Duration.ofMillis(1), 1, Duration.ofMillis(1), 0),
            Duration.ofDays(14),
            Map.of());

    /** Checkpoints are made at ticks only, each before it is looked at what is needed. */
    private static final Limits LIMITS = new Limits(64, 1024, 4, 1000, 1000, 8, 4, 64, 10);

    @TempDir
    Path directory;

    /** The first one has a lane of its own. */
    private static List<PushRecord> pushes(long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(seq ->
                        new PlannedPush(seq == 1 ? 1 : 2, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq))
                .toList();
    }

    private static void handledBeyond(Life life, long seq) {
        eventually(
                () -> assertThat(life.delivery().views().states().await().get(0).handled())
                        .isGreaterThan(seq));
    }

    @Test
    void aPushThatIsStillUnderWayWhileOthersGoFarAheadIsNeeded() {
        Life life = new Life(directory, LIMITS);
        Promise<Void> answer = Promise.promise();
        life.add(CONFIG, (push, vertx) -> push.seq() == 1 ? answer.future() : Future.succeededFuture());
        life.send(pushes(1, 20));
        handledBeyond(life, 10);
        life.send(pushes(21, 40));
        handledBeyond(life, 30);

        assertThat(life.delivery().neededFrom()).isEqualTo(1);

        answer.complete();
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(41));
        life.stop();
    }
}
