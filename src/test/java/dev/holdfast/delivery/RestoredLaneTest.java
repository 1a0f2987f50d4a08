package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lane that was blocked in a life before is an ordinary one when its references are done. */
@Timeout(60)
class RestoredLaneTest {
    private static final ConsumerConfig CONFIG = Life.consumer("one", 4, Duration.ofMillis(1));

    private static final Limits LIMITS = new Limits(64, 1024, 16, 64, 8, 2, 4, 64, 10);
    private static final long LAST = 5;

    @TempDir
    Path directory;

    private final AtomicInteger failed = new AtomicInteger();

    private Life begin(Predicate<Push> fails) {
        Life life = new Life(directory, LIMITS);
        life.add(CONFIG, (push, vertx) -> {
            if (fails.test(push)) {
                failed.incrementAndGet();
                return Future.failedFuture("planned");
            }
            return Future.succeededFuture();
        });
        return life;
    }

    /** Each has a lane of its own. */
    private static List<PushRecord> pushes() {
        return LongStream.rangeClosed(1, LAST)
                .mapToObj(seq -> new PlannedPush((int) seq, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq))
                .toList();
    }

    private static ConsumerState state(Life life) {
        return life.delivery().views().states().await().get(0);
    }

    @Test
    void aReplayThatIsBlockedAtItsVeryEndIsDoneAfterARestart() {
        Life life = begin(push -> push.replay() && push.seq() == LAST);
        life.send(pushes());
        eventually(() -> assertThat(state(life).handled()).isEqualTo(LAST));
        life.replay(1000).await();
        eventually(() -> assertThat(failed.get()).isPositive());
        life.stop();

        Life next = begin(push -> false);
        eventually(() -> assertThat(next.delivery().replays().states().await())
                .extracting(ReplayState::stage)
                .containsExactly(ReplayState.Stage.DONE));
        eventually(() -> assertThat(next.journal().positions().all()).containsOnlyKeys("one"));
        next.stop();
    }

    @Test
    void aLaneThatWasBlockedAtTheNewestPushIsNoLongerBlockedWhenItIsHandled() {
        Life life = begin(push -> push.seq() == LAST);
        life.send(pushes());
        eventually(() -> assertThat(failed.get()).isPositive());
        life.stop();

        Life next = begin(push -> false);
        eventually(() -> assertThat(state(next).lag()).isZero());
        eventually(() -> assertThat(state(next).lanesBlocked()).isZero());
        next.stop();
    }
}
