package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.RetryConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
    private static final Duration DELAY = Duration.ofMillis(1);

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final CircuitBreaker breaker =
            new CircuitBreaker("one", new RetryConfig(DELAY, 1, DELAY, 0), vertx, () -> {});

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private <T> T onLoop(Supplier<T> action) {
        return Future.<T>future(done -> context.runOnContext(v -> done.complete(action.get())))
                .await();
    }

    private void failBeforeItOpens() {
        for (int i = 0; i < CircuitBreaker.THRESHOLD; i++) {
            run(() -> breaker.failed("first", true, false));
        }
    }

    private void run(Runnable action) {
        onLoop(() -> {
            action.run();
            return true;
        });
    }

    /** Begins all trials that it permits after a wait, each of a lane of its own: their number. */
    private int trials() {
        eventually(() -> assertThat(onLoop(breaker::permitsTrial)).isTrue());
        return onLoop(() -> {
            int begun = 0;
            while (breaker.permitsTrial()) {
                breaker.trialBegins("lane " + begun++);
            }
            return begun;
        });
    }

    private void fail(int trials, boolean permanently) {
        run(() -> IntStream.range(0, trials).forEach(n -> breaker.failed("lane " + n, true, permanently)));
    }

    @Test
    void afterEachWaitInVainTwiceAsManyAreTriedUpToSoMany() {
        failBeforeItOpens();
        for (int expected = 1; expected < CircuitBreaker.MOST_TRIALS; expected *= 2) {
            assertThat(trials()).isEqualTo(expected);
            fail(expected, false);
        }
        fail(trials(), false);

        assertThat(trials()).isEqualTo(CircuitBreaker.MOST_TRIALS);
    }

    @Test
    void ofThoseThatBecomeDeadLettersOneIsTriedAfterAWait() {
        failBeforeItOpens();
        fail(trials(), false);
        assertThat(trials()).isEqualTo(2);
        fail(1, true);

        assertThat(trials()).isEqualTo(1);
    }

    @Test
    void aLaneThatFailsIsNoneOfThoseThatGoOnWhateverTheOthersDo() {
        run(() -> breaker.handled("good"));
        run(() -> breaker.handled("bad"));

        run(() -> breaker.failed("bad", false, false));

        assertThat(onLoop(breaker::working)).containsExactly("good");
    }

    @Test
    void aTrialThatCameToNothingMakesWayForAnotherAndOneThatFailedDoesNot() {
        failBeforeItOpens();
        fail(trials(), false);
        assertThat(trials()).isEqualTo(2);

        run(() -> breaker.failed("lane 0", true, false));
        run(() -> breaker.trialEnds("lane 0"));
        assertThat(onLoop(breaker::permitsTrial)).isFalse();

        run(() -> breaker.trialEnds("lane 1"));
        assertThat(onLoop(breaker::permitsTrial)).isTrue();
    }
}
