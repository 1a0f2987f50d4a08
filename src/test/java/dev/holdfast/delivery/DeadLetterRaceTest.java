package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.delivery.PlannedPush.Fate;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What becomes of a lane whose first push is made a dead letter, whenever the journal's thread says that it is one: also
 * between two steps of the delivery's event loop, which takes a hold-up of microseconds at the right place.
 */
@Timeout(120)
class DeadLetterRaceTest {
    private static final int LANES = 8;
    private static final int IN_LANES = 3_000;
    /** Lanes of which nothing is left behind their dead letter. */
    private static final int SINGLE = 500;

    private static final ConsumerConfig CONFIG = Life.consumer("one", 4, Duration.ofMillis(1));

    @TempDir
    Path directory;

    /** How many of each position. */
    private final Map<Long, Integer> attempts = new ConcurrentHashMap<>();

    @Test
    void aPushBehindARefusedOneIsHandledAndNeverADeadLetterWithTheOthersFailure() {
        refuse((push, attempt) -> refused(push));
    }

    @Test
    void aPushBehindOneThatWouldBeTakenTheSecondTimeIsHandledAndNeverCountedAsHandledUnsent() {
        refuse((push, attempt) -> attempt == 1 ? refused(push) : Future.succeededFuture());
    }

    /** What becomes of a push that is to be refused. */
    private interface Refusal {
        Future<?> answer(Push push, int attempt);
    }

    private static Future<?> refused(Push push) {
        return Future.failedFuture(new PermanentFailure("refused " + push.seq()));
    }

    private void refuse(Refusal refusal) {
        Life life = new Life(directory, Limits.STANDARD);
        life.journal().hurryLetters();
        life.add(CONFIG, (push, vertx) -> {
            int attempt = attempts.merge(push.seq(), 1, Integer::sum);
            return isRefused(push.seq()) ? refusal.answer(push, attempt) : Future.succeededFuture();
        });

        life.send(all().map(DeadLetterRaceTest::push).toList());

        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(IN_LANES + SINGLE + 1));
        assertThat(all().filter(seq -> attempts.getOrDefault(seq, 0) != 1))
                .as("pushes that were not attempted once")
                .isEmpty();
        eventually(() -> assertThat(life.journal().deadLetters().list("one", 0, Integer.MAX_VALUE))
                .hasSize((int) all().filter(DeadLetterRaceTest::isRefused).count()));
        assertThat(life.journal().deadLetters().list("one", 0, Integer.MAX_VALUE))
                .allMatch(letter -> isRefused(letter.push().seq()), "is of a push that was refused")
                .allMatch(
                        letter -> letter.last()
                                .error()
                                .equals("refused " + letter.push().seq()),
                        "has its own failure");
        life.stop();
    }

    private static Stream<Long> all() {
        return LongStream.rangeClosed(1, IN_LANES + SINGLE).boxed();
    }

    /** Every second one of each lane, and the only one of those that have one. */
    private static boolean isRefused(long seq) {
        return seq > IN_LANES || seq / LANES % 2 == 0;
    }

    private static PushRecord push(long seq) {
        int enterprise = (int) (seq > IN_LANES ? seq : seq % LANES);
        return new PlannedPush(enterprise, "client.created", 0, Fate.GOOD, 0).record(seq);
    }
}
