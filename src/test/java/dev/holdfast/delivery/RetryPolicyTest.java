package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.RetryConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private static RetryConfig config(double factor, double jitter) {
        return new RetryConfig(Duration.ofMillis(200), factor, Duration.ofMinutes(1), jitter);
    }

    @Test
    void waitsGrowByTheFactorUpToTheLongest() {
        RetryPolicy backoff = new RetryPolicy(config(2, 0), () -> 0);

        assertThat(backoff.delayMillis(1)).isEqualTo(200);
        assertThat(backoff.delayMillis(2)).isEqualTo(400);
        assertThat(backoff.delayMillis(9)).isEqualTo(51_200);
        assertThat(backoff.delayMillis(10)).isEqualTo(60_000);
        assertThat(backoff.delayMillis(Integer.MAX_VALUE)).isEqualTo(60_000);
    }

    @Test
    void chanceShortensAWaitByThePartThatIsConfigured() {
        assertThat(new RetryPolicy(config(2, 0.5), () -> 0).delayMillis(1)).isEqualTo(200);
        assertThat(new RetryPolicy(config(2, 0.5), () -> 0.999).delayMillis(1)).isEqualTo(100);
        assertThat(new RetryPolicy(config(2, 1), () -> 0.999999).delayMillis(1)).isEqualTo(1);
    }

    @Test
    void aFactorOfOneKeepsTheWait() {
        assertThat(new RetryPolicy(config(1, 0), () -> 0).delayMillis(1000)).isEqualTo(200);
    }
}
