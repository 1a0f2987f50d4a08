package dev.holdfast.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @Test
    void waitsGrowByTheFactorUpToTheLongest() {
        Backoff doubling = Backoff.doubling(FIRST, LONGEST);

        assertThat(doubling.millis(1)).isEqualTo(200);
        assertThat(doubling.millis(2)).isEqualTo(400);
        assertThat(doubling.millis(9)).isEqualTo(51_200);
        assertThat(doubling.millis(10)).isEqualTo(60_000);
        assertThat(doubling.millis(Integer.MAX_VALUE)).isEqualTo(60_000);
        assertThat(new Backoff(FIRST, 4, LONGEST).millis(3)).isEqualTo(3_200);
    }

    @Test
    void aFactorOfOneKeepsTheWait() {
        assertThat(new Backoff(FIRST, 1, LONGEST).millis(1000)).isEqualTo(200);
    }

    @Test
    void aWaitIsShortenedByAPartButNeverToNothing() {
        Backoff doubling = Backoff.doubling(FIRST, LONGEST);

        assertThat(doubling.millis(1, 0.5)).isEqualTo(100);
        assertThat(doubling.millis(Integer.MAX_VALUE, 0.25)).isEqualTo(45_000);
        assertThat(doubling.millis(1, 1)).isEqualTo(1);
    }
}
