package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.RetryLater;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wait that a failed attempt asks for itself. */
class AskedDelayTest {
    private final RetryPolicy backoff =
            new RetryPolicy(new RetryConfig(Duration.ofMillis(200), 2, Duration.ofMinutes(1), 0.5), () -> 0.0);

    @ParameterizedTest
    @CsvSource({
        "PT0S, 200",
        "PT0.1S, 200",
        "PT30S, 30000",
        "PT59M, 3540000",
        "PT61M, 3600000",
        "P365D, 3600000",
        "PT9223372036854775807S, 3600000"
    })
    void isRespectedUpToAnHour(Duration asked, long millis) {
        assertThat(backoff.delayMillis(1, new RetryLater("not now", asked))).isEqualTo(millis);
    }

    @Test
    void isNoneForAnyOtherFailure() {
        assertThat(backoff.delayMillis(1, new IllegalStateException("no"))).isEqualTo(200);
    }
}
