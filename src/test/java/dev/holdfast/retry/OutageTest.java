package dev.holdfast.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutageTest {
    private long seconds = 1_000;
    private final Outage outage = new Outage(() -> TimeUnit.SECONDS.toNanos(seconds));

    /** After how many seconds, of so many with a failure each, it is told. */
    private List<Long> toldWithin(int many) {
        List<Long> told = new ArrayList<>();
        long begin = seconds;
        while (seconds < begin + many) {
            if (outage.failed()) {
                told.add(seconds - begin);
            }
            seconds++;
        }
        return told;
    }

    @Test
    void itIsToldAtOnceAndThenMoreAndMoreSeldom() {
        assertThat(toldWithin(250)).containsExactly(0L, 2L, 6L, 14L, 30L, 62L, 122L, 182L, 242L);
    }

    @Test
    void thatItIsOverIsToldOnceAndTheNextOneAtOnceAgain() {
        toldWithin(100);

        assertThat(outage.over()).isTrue();
        assertThat(outage.over()).isFalse();
        seconds += 2;
        assertThat(toldWithin(10)).containsExactly(0L, 2L, 6L);
    }

    @Test
    void whatNeverFailedIsNotOver() {
        assertThat(outage.over()).isFalse();
    }

    @Test
    void whatComesAndGoesIsToldEveryTwoSecondsAtMost() {
        int told = 0;
        for (int i = 0; i < 100; i++) {
            told += outage.failed() ? 1 : 0;
            told += outage.over() ? 1 : 0;
            seconds += i % 2;
        }

        assertThat(told).isEqualTo(2 * 25);
    }
}
