package dev.holdfast.metrics;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** The counts of a {@link LatencyHistogram} at one moment, or between two. Immutable. */
public final class LatencySnapshot {
    /** The upper bounds of the buckets, in nanoseconds; after them there is one without a bound. */
    static final long[] BOUNDS = LongStream.of(
                    1, 2, 3, 5, 7, 10, 15, 25, 50, 75, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
            .map(TimeUnit.MILLISECONDS::toNanos)
            .toArray();

    private static final double NANOS_A_SECOND = 1e9;
    private static final double NANOS_A_MILLI = 1e6;

    private final long[] counts;
    private final long sum;

    /** @param counts one for each bound, and one for everything beyond the last */
    LatencySnapshot(long[] counts, long sum) {
        this.counts = counts;
        this.sum = sum;
    }

    /** The difference from an earlier snapshot. */
    public LatencySnapshot since(LatencySnapshot earlier) {
        long[] fresh = new long[counts.length];
        for (int i = 0; i < fresh.length; i++) {
            fresh[i] = counts[i] - earlier.counts[i];
        }
        return new LatencySnapshot(fresh, sum - earlier.sum);
    }

    public long count() {
        return Arrays.stream(counts).sum();
    }

    /** All latencies added up. */
    public double sumSeconds() {
        return sum / NANOS_A_SECOND;
    }

    /** The buckets' upper bounds in seconds, the last one infinite. */
    public double[] boundsSeconds() {
        DoubleStream bounds = Arrays.stream(BOUNDS).mapToDouble(nanos -> nanos / NANOS_A_SECOND);
        return DoubleStream.concat(bounds, DoubleStream.of(Double.POSITIVE_INFINITY))
                .toArray();
    }

    /** How many fell into each bucket, in the order of {@link #boundsSeconds}. */
    public long[] counts() {
        return counts.clone();
    }

    /**
     * The latency that this part of all did not exceed, in milliseconds, as precise as the buckets; beyond the last
     * bound, that bound. 0 if there is none.
     *
     * @param part between 0 and 1
     */
    public double quantileMillis(double part) {
        double left = part * count();
        for (int i = 0; i < BOUNDS.length; i++) {
            if (counts[i] > 0 && counts[i] >= left) {
                long below = i == 0 ? 0 : BOUNDS[i - 1];
                return (below + (BOUNDS[i] - below) * left / counts[i]) / NANOS_A_MILLI;
            }
            left -= counts[i];
        }
        return count() == 0 ? 0 : BOUNDS[BOUNDS.length - 1] / NANOS_A_MILLI;
    }
}
