package dev.holdfast.simulator;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When pushes are sent: at fixed times, whatever the answers to earlier ones (an open loop).
 *
 * @param rate pushes per second
 * @param duration for how long; null: without end
 * @param count after how many pushes to stop, should that come first; null: never
 * @param bursts whether, after forty at that rate, sixty come twenty times as fast, again and again
 */
public record Pace(
        double rate, @Nullable Duration duration, @Nullable Long count, boolean bursts) {
    private static final int CALM = 40;
    private static final int BURST = 60;
    private static final double FASTER = 20;

    private static final double NANOS = 1e9;

    public Pace {
        if (!(rate > 0 && rate <= NANOS)) {
            throw new IllegalArgumentException("rate: " + rate + " (expected: above 0, at most 1000000000, a second)");
        }
        if (count != null && count < 1) {
            throw new IllegalArgumentException("count: " + count + " (expected: at least 1)");
        }
        if (duration != null && (duration.isZero() || duration.isNegative())) {
            throw new IllegalArgumentException("duration: " + duration + " (expected: above 0)");
        }
    }

    /** Without bursts. */
    public Pace(double rate, @Nullable Duration duration, @Nullable Long count) {
        this(rate, duration, count, false);
    }

    /** The same with bursts. */
    public Pace withBursts() {
        return new Pace(rate, duration, count, true);
    }

    /** So many pushes and no more. */
    public static Pace count(double rate, long count) {
        return new Pace(rate, null, count);
    }

    /** Nanoseconds from the start at which the push is due that {@code earlier} others precede. */
    long dueAfter(long earlier) {
        if (!bursts) {
            return (long) (earlier * NANOS / rate);
        }
        long before = earlier % (CALM + BURST);
        long rounds = earlier / (CALM + BURST);
        double gaps = rounds * (CALM + BURST / FASTER) + Math.min(before, CALM) + Math.max(0, before - CALM) / FASTER;
        return (long) (gaps * NANOS / rate);
    }

    /** Whether the push that {@code earlier} others precede is beyond the end. */
    boolean endsBefore(long earlier) {
        return (count != null && earlier >= count) || (duration != null && dueAfter(earlier) >= duration.toNanos());
    }
}
