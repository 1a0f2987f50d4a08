package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.RetryConfig;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BreakerTest {
    private final Vertx vertx = Vertx.vertx();
    private final Breaker breaker =
            new Breaker("one", new RetryConfig(Duration.ofMillis(1), 2, Duration.ofMillis(5), 0), vertx, () -> {});

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void aTrialThatCameToNothingLeavesItsPlaceToTheNext() {
        for (int i = 0; i < Breaker.THRESHOLD; i++) {
            assertThat(breaker.permits(false)).isTrue();
            breaker.failed(new IllegalStateException("planned"), true);
        }
        assertThat(breaker.isClosed()).isFalse();
        eventually(() -> assertThat(breaker.permits(false)).isTrue());
        assertThat(breaker.permits(false)).isFalse();

        breaker.unused();

        assertThat(breaker.permits(false)).isTrue();
        breaker.handled();
        assertThat(breaker.isClosed()).isTrue();
    }
}
