package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.RetryConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static RetryConfig config(double factor, double jitter) {
        return new RetryConfig(Duration.ofMillis(200), factor, Duration.ofMinutes(1), jitter);
    }

    @Test
    void waitsGrowByTheFactorUpToTheLongest() {
        Backoff backoff = new Backoff(config(2, 0), () -> 0);

        assertThat(backoff.millisAfter(1)).isEqualTo(200);
        assertThat(backoff.millisAfter(2)).isEqualTo(400);
        assertThat(backoff.millisAfter(9)).isEqualTo(51_200);
        assertThat(backoff.millisAfter(10)).isEqualTo(60_000);
        assertThat(backoff.millisAfter(Integer.MAX_VALUE)).isEqualTo(60_000);
    }

    @Test
    void chanceShortensAWaitByThePartThatIsConfigured() {
        assertThat(new Backoff(config(2, 0.5), () -> 0).millisAfter(1)).isEqualTo(200);
        assertThat(new Backoff(config(2, 0.5), () -> 0.999).millisAfter(1)).isEqualTo(100);
        assertThat(new Backoff(config(2, 1), () -> 0.999999).millisAfter(1)).isEqualTo(1);
    }

    @Test
    void aFactorOfOneKeepsTheWait() {
        assertThat(new Backoff(config(1, 0), () -> 0).millisAfter(1000)).isEqualTo(200);
    }
}
