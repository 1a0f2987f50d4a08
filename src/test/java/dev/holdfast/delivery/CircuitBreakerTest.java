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
            new CircuitBreaker("one", new RetryConfig(DELAY, 1, DELAY, 0), vertx, () -> {});

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private <T> T onLoop(Supplier<T> action) {
        return Future.<T>future(done -> context.runOnContext(v -> done.complete(action.get())))
                .await();
    }

    private boolean fails() {
        breaker.failed("lane", true);
        return true;
    }

    private int trial() {
        int[] trial = {0};
        eventually(() -> assertThat(trial[0] = onLoop(breaker::trial)).isPositive());
        return trial[0];
    }

    /** The dead letter of the one before may take its time. */
    @Test
    void aTrialThatEndsLateLetsNoneBegunBesideTheNextOne() {
        for (int i = 0; i < CircuitBreaker.THRESHOLD; i++) {
            onLoop(this::fails);
        }
        int late = trial();
        onLoop(this::fails);
        trial();

        assertThat(onLoop(() -> {
                    breaker.unused(late);
                    return breaker.trial();
                }))
                .isZero();
    }
}
