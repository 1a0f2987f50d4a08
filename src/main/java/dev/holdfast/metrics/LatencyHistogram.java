package dev.holdfast.metrics;

import static dev.holdfast.metrics.LatencySnapshot.BOUNDS;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * How long something takes, counted in buckets. Any thread; threads that record at the same time don't wait for each
 * other.
 */
public final class LatencyHistogram {
    private final LongAdder[] counts =
            Stream.generate(LongAdder::new).limit(BOUNDS.length + 1L).toArray(LongAdder[]::new);
    private final LongAdder sum = new LongAdder();
    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);

    /** Counts one latency. */
    public void record(long nanos) {
        int bucket = 0;
        while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        sum.add(nanos);
        longest.accumulate(nanos);
    }

    /** Everything that was counted so far. */
    public LatencySnapshot snapshot() {
        return new LatencySnapshot(
                Arrays.stream(counts).mapToLong(LongAdder::sum).toArray(), sum.sum());
    }

    /**
     * The longest since the last call, in nanoseconds; 0 if there was none. For one caller. A latency recorded during
     * the call may be missed.
     */
    public long takeMax() {
        return longest.getThenReset();
    }
}
