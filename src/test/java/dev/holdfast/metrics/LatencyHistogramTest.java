package dev.holdfast.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new LatencyHistogram();

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void eachIsInTheBucketWithTheLowestBoundThatItDoesNotExceed() {
        histogram.record(millis(1));
        histogram.record(millis(1) + 1);
        histogram.record(millis(20_000));

        LatencySnapshot snapshot = histogram.snapshot();
        assertThat(snapshot.boundsSeconds()).startsWith(0.001, 0.002).endsWith(10, Double.POSITIVE_INFINITY);
        assertThat(snapshot.counts()).startsWith(1, 1, 0).endsWith(0, 1);
        assertThat(LongStream.of(snapshot.counts()).sum()).isEqualTo(3).isEqualTo(snapshot.count());
        assertThat(snapshot.sumSeconds()).isCloseTo(20.002, within(1e-6));
    }

    @Test
    void nothingIsLostThatSeveralThreadsMeasureAtATime() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> LongStream.range(0, 100_000).forEach(histogram::record));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(histogram.snapshot().count()).isEqualTo(300_000);
    }

    @Test
    void quantilesLieWhereTheBucketsSay() {
        for (int i = 0; i < 90; i++) {
            histogram.record(millis(4));
        }
        for (int i = 0; i < 10; i++) {
            histogram.record(millis(80));
        }

        LatencySnapshot snapshot = histogram.snapshot();
        assertThat(snapshot.quantileMillis(0.5)).isBetween(3.0, 5.0);
        assertThat(snapshot.quantileMillis(0.99)).isBetween(75.0, 100.0);
    }

    @Test
    void withoutAnyTheQuantileIsZeroAndBeyondTheLastBoundItIsThat() {
        assertThat(histogram.snapshot().quantileMillis(0.99)).isZero();
        histogram.record(millis(60_000));
        assertThat(histogram.snapshot().quantileMillis(0.99)).isEqualTo(10_000);
    }

    @Test
    void aDifferenceHasWhatCameInBetween() {
        histogram.record(millis(4));
        LatencySnapshot before = histogram.snapshot();
        histogram.record(millis(80));

        LatencySnapshot fresh = histogram.snapshot().since(before);
        assertThat(fresh.count()).isEqualTo(1);
        assertThat(fresh.quantileMillis(0.5)).isBetween(75.0, 100.0);
    }

    @Test
    void theLongestIsToldOnce() {
        histogram.record(5);
        histogram.record(7);
        histogram.record(6);

        assertThat(histogram.takeMax()).isEqualTo(7);
        assertThat(histogram.takeMax()).isZero();
    }
}
