package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.RetryConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
    private static final Duration DELAY = Duration.ofMillis(1);

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final CircuitBreaker breaker =
            new CircuitBreaker("one", new RetryConfig(DELAY, 1, DELAY, 0, null, null), vertx, () -> {});

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
            run(() -> breaker.failed(new Lane("first"), false));
        }
    }

    private void run(Runnable action) {
        onLoop(() -> {
            action.run();
            return true;
        });
    }

    /** Begins all attempts that it permits after a wait: their number. */
    private int trials() {
        eventually(() -> assertThat(onLoop(breaker::isOpen)).isFalse());
        return onLoop(() -> {
            int begun = 0;
            for (; !breaker.isOpen(); begun++) {
                breaker.attemptBegins();
            }
            return begun;
        });
    }

    /** None of them has to come back for the next ones to begin: one that hangs holds nothing up. */
    @Test
    void afterEachWaitInVainTwiceAsManyAreTriedUpToSoMany() {
        failBeforeItOpens();
        for (int expected = 1; expected < CircuitBreaker.MOST_TRIALS; expected *= 2) {
            assertThat(trials()).isEqualTo(expected);
        }

        assertThat(trials()).isEqualTo(CircuitBreaker.MOST_TRIALS);
        assertThat(trials()).isEqualTo(CircuitBreaker.MOST_TRIALS);
    }

    @Test
    void ofThoseThatBecomeDeadLettersOneIsTriedAfterAWait() {
        failBeforeItOpens();
        assertThat(trials()).isEqualTo(1);
        assertThat(trials()).isEqualTo(2);
        assertThat(onLoop(() -> {
                    breaker.failed(new Lane("first"), true);
                    return breaker.isOpen();
                }))
                .isTrue();

        assertThat(trials()).isEqualTo(1);
    }

    @Test
    void aLaneThatFailsIsNoneOfThoseThatGoOnWhateverTheOthersDo() {
        run(() -> breaker.handled(new Lane("good")));
        run(() -> breaker.handled(new Lane("bad")));

        run(() -> breaker.failed(new Lane("bad"), false));

        assertThat(onLoop(breaker::working)).containsExactly("good");
    }

    @Test
    void attemptsThatAreNotMadeInAWaitAreNotMadeBesidesThoseOfTheNext() {
        failBeforeItOpens();
        int waits = onLoop(breaker::waits);
        eventually(() -> assertThat(onLoop(breaker::waits)).isGreaterThan(waits + 1));

        assertThat(trials()).isEqualTo(1);
    }

    /** What lies before is no time in which a push could have been tried. */
    @Test
    void itHasWorkedSinceItStoppedFailingEverything() {
        long begun = onLoop(breaker::workingSince);
        run(() -> breaker.handled(new Lane("good")));
        assertThat(onLoop(breaker::workingSince)).isEqualTo(begun);
        failBeforeItOpens();

        run(() -> breaker.handled(new Lane("good")));

        assertThat(onLoop(breaker::workingSince)).isGreaterThan(begun);
    }

    /** It would be half open again, and have lanes wait, though nothing fails. */
    @Test
    void theWaitEndsWithThePushThatIsHandled() {
        failBeforeItOpens();
        run(() -> breaker.handled(new Lane("good")));

        Future.<Long>future(done -> context.runOnContext(v -> vertx.setTimer(10 * DELAY.toMillis(), done::complete)))
                .await();

        assertThat(onLoop(breaker::isClosed)).isTrue();
    }

    @Test
    void nextTimeItBeginsAnew() {
        failBeforeItOpens();
        assertThat(trials()).isEqualTo(1);
        assertThat(trials()).isEqualTo(2);
        run(() -> breaker.handled(new Lane("good")));

        assertThat(onLoop(() -> {
                    for (int i = 0; i < CircuitBreaker.THRESHOLD; i++) {
                        breaker.failed(new Lane("first"), false);
                    }
                    return breaker.waits();
                }))
                .isEqualTo(1);
        assertThat(trials()).isEqualTo(1);
    }
}
