package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandledRateTest {
    private static long seconds(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void itIsTheMeanOfTheLastTenSeconds() {
        HandledRate rate = new HandledRate();
        for (int tick = 0; tick <= 300; tick++) {
            // Twenty a second for half a minute, then a hundred.
            rate.tick(seconds(tick / 10.0), 2.0 * tick);
        }
        assertThat(rate.perSecond(seconds(30), 600)).isCloseTo(20, within(0.1));
        for (int tick = 1; tick <= 100; tick++) {
            rate.tick(seconds(30 + tick / 10.0), 600 + 10.0 * tick);
        }
        assertThat(rate.perSecond(seconds(40), 1_600)).isCloseTo(100, within(10.0));
    }

    @Test
    void nothingIsKnownBeforeTheFirstLook() {
        assertThat(new HandledRate().perSecond(5, 100)).isZero();
    }
}
