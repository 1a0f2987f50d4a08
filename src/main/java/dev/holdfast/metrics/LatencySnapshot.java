package dev.holdfast.metrics;

/** What a {@link LatencyHistogram} had counted at some moment, or between two. Immutable. */
public final class LatencySnapshot {
    private static final double NANOS_A_SECOND = 1e9;
    private static final double NANOS_A_MILLI = 1e6;

    private final long[] bounds;
    private final long[] counts;
    private final long sum;

    /**
     * @param bounds upper bounds in nanoseconds, rising
     * @param counts one for each of them, and one for what is beyond the last
     */
    LatencySnapshot(long[] bounds, long[] counts, long sum) {
        this.bounds = bounds;
        this.counts = counts;
        this.sum = sum;
    }

    /** What came since then. */
    public LatencySnapshot since(LatencySnapshot earlier) {
        long[] fresh = new long[counts.length];
        for (int i = 0; i < fresh.length; i++) {
            fresh[i] = counts[i] - earlier.counts[i];
        }
        return new LatencySnapshot(bounds, fresh, sum - earlier.sum);
    }

    public long count() {
        long count = 0;
        for (long each : counts) {
            count += each;
        }
        return count;
    }

    /** Of all of them together. */
    public double sumSeconds() {
        return sum / NANOS_A_SECOND;
    }

    /** The buckets' upper bounds in seconds, the last one infinite. */
    public double[] boundsSeconds() {
        double[] seconds = new double[counts.length];
        for (int i = 0; i < bounds.length; i++) {
            seconds[i] = bounds[i] / NANOS_A_SECOND;
        }
        seconds[bounds.length] = Double.POSITIVE_INFINITY;
        return seconds;
    }

    /** How many fell into each bucket, in the order of {@link #boundsSeconds}. */
    public long[] counts() {
        return counts.clone();
    }

    /**
     * What so large a part of them did not exceed, in milliseconds, as near as the buckets tell; beyond the last bound, that bound.
     * 0 when there is none.
     *
     * @param part between 0 and 1
     */
    public double quantileMillis(double part) {
        double left = part * count();
        for (int i = 0; i < bounds.length; i++) {
            if (counts[i] > 0 && counts[i] >= left) {
                long below = i == 0 ? 0 : bounds[i - 1];
                return (below + (bounds[i] - below) * left / counts[i]) / NANOS_A_MILLI;
            }
            left -= counts[i];
        }
        return count() == 0 ? 0 : bounds[bounds.length - 1] / NANOS_A_MILLI;
    }
}
