package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.RetryLater;
import dev.holdfast.store.BlockedPush.RetryState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
    private static final RetryPolicy UP_TO_3_DAYS = new RetryPolicy(
            new RetryConfig(Duration.ofMillis(200), 2, Duration.ofMinutes(1), 0, null, Duration.ofDays(3)), () -> 0);

    private static RetryConfig config(double factor, double jitter) {
        return new RetryConfig(Duration.ofMillis(200), factor, Duration.ofMinutes(1), jitter, null, null);
    }

    @Test
    void waitsGrowAsConfigured() {
        RetryPolicy policy = new RetryPolicy(config(3, 0), () -> 0);

        assertThat(policy.delayMillis(1)).isEqualTo(200);
        assertThat(policy.delayMillis(2)).isEqualTo(600);
        assertThat(policy.delayMillis(10)).isEqualTo(60_000);
        assertThat(policy.delayMillis(1, new IllegalStateException("no"))).isEqualTo(200);
    }

    @Test
    void chanceShortensAWaitByThePartThatIsConfigured() {
        assertThat(new RetryPolicy(config(2, 0.5), () -> 0).delayMillis(1)).isEqualTo(200);
        assertThat(new RetryPolicy(config(2, 0.5), () -> 0.999).delayMillis(1)).isEqualTo(100);
        assertThat(new RetryPolicy(config(2, 1), () -> 0.999999).delayMillis(1)).isEqualTo(1);
    }

    @Test
    void aClockThatIsSetAheadMakesNoDeadLetter() {
        RetryState retry = failed(failed(null, 0, 0), Duration.ofDays(10).toMillis(), 1_000);

        assertThat(UP_TO_3_DAYS.isLast(retry)).isFalse();
    }

    @Test
    void aClockThatIsSetBackHoldsUpNoDeadLetter() {
        long threeDays = Duration.ofDays(3).toMillis();
        RetryState retry = failed(failed(failed(null, threeDays, 0), 0, 1), 1, threeDays);

        assertThat(UP_TO_3_DAYS.isLast(retry)).isTrue();
    }

    /** As those are that fail while the consumer fails everything. */
    @Test
    void anAttemptThatDoesNotCountBringsNoPushNearerToItsLast() {
        RetryPolicy upToTwo =
                new RetryPolicy(new RetryConfig(Duration.ofMillis(200), 2, Duration.ofMinutes(1), 0, 2, null), () -> 0);
        RetryState once = failed(null, 0, 0);

        RetryState still = RetryPolicy.failed(once, 1, "planned", false, 0);

        assertThat(still.attempts()).isEqualTo(2);
        assertThat(upToTwo.isLast(still)).isFalse();
        assertThat(upToTwo.isLast(failed(still, 2, 0))).isTrue();
    }

    private static RetryState failed(@Nullable RetryState before, long at, long triedMillis) {
        return RetryPolicy.failed(before, at, "planned", true, triedMillis);
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

    @ParameterizedTest
    @CsvSource({
        "PT0S, 200",
        "PT0.1S, 200",
        "PT30S, 30000",
        "PT59M, 3540000",
        "PT61M, 3600000",
        "P365D, 3600000",
        "PT9223372036854775807S, 3600000",
        "PT-9223372036854775808S, 200"
    })
    void aWaitThatAFailureAsksForIsRespectedUpToAnHour(Duration asked, long millis) {
        assertThat(new RetryPolicy(config(2, 0.5), () -> 0).delayMillis(1, new RetryLater("not now", asked)))
                .isEqualTo(millis);
    }

    @Test
    void aFailureThatFailsAtItsCauseIsNotPermanent() {
        assertThat(RetryPolicy.isPermanent(new RuntimeException() {
                    @Override
                    public synchronized Throwable getCause() {
                        throw new AssertionError("not to be called");
                    }
                }))
                .isFalse();
    }
}
