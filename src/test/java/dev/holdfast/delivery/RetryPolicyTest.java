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
    void waitsGrowAsConfigured() {
        RetryPolicy policy = new RetryPolicy(config(3, 0), () -> 0);

        assertThat(policy.delayMillis(1)).isEqualTo(200);
        assertThat(policy.delayMillis(2)).isEqualTo(600);
        assertThat(policy.delayMillis(10)).isEqualTo(60_000);
    }

    @Test
    void chanceShortensAWaitByThePartThatIsConfigured() {
        assertThat(new RetryPolicy(config(2, 0.5), () -> 0).delayMillis(1)).isEqualTo(200);
        assertThat(new RetryPolicy(config(2, 0.5), () -> 0.999).delayMillis(1)).isEqualTo(100);
        assertThat(new RetryPolicy(config(2, 1), () -> 0.999999).delayMillis(1)).isEqualTo(1);
    }

    @Test
    void aFailureWhoseCauseCanNotBeToldIsOneLikeOthers() {
        RuntimeException untold = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized Throwable getCause() {
                throw new IllegalStateException("planned");
            }
        };

        assertThat(RetryPolicy.isPermanent(untold)).isFalse();
    }
}
