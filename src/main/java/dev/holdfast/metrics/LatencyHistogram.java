package dev.holdfast.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;

/**
 * How long something takes, counted in buckets. Each thread that measures has a {@link Recorder} of its own and is the only one
 * that writes to it, so that counting takes no atomic instruction: a few nanoseconds. Read from any thread.
 */
public final class LatencyHistogram {
    /** The upper bounds of the buckets; behind them is one without. */
    private static final long[] BOUNDS = LongStream.of(
                    1, 2, 3, 5, 7, 10, 15, 25, 50, 75, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
            .map(TimeUnit.MILLISECONDS::toNanos)
            .toArray();

    private static final int BUCKETS = BOUNDS.length + 1;
    private static final int SUM = BUCKETS;
    private static final int MAX = BUCKETS + 1;

    private final List<Recorder> recorders = new CopyOnWriteArrayList<>();

    /** One thread's part. */
    public static final class Recorder {
        private final AtomicLongArray values = new AtomicLongArray(MAX + 1);

        private Recorder() {}

        /** Counts one. By one thread only. */
        public void record(long nanos) {
            int bucket = 0;
            while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
                bucket++;
            }
            values.setOpaque(bucket, values.getPlain(bucket) + 1);
            values.setOpaque(SUM, values.getPlain(SUM) + nanos);
            if (nanos > values.getOpaque(MAX)) {
                values.setOpaque(MAX, nanos);
            }
        }
    }

    /** For one thread. */
    public Recorder recorder() {
        Recorder recorder = new Recorder();
        recorders.add(recorder);
        return recorder;
    }

    /** All that was counted so far. */
    public LatencySnapshot snapshot() {
        long[] counts = new long[BUCKETS];
        long sum = 0;
        for (Recorder recorder : recorders) {
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                counts[bucket] += recorder.values.getOpaque(bucket);
            }
            sum += recorder.values.getOpaque(SUM);
        }
        return new LatencySnapshot(BOUNDS, counts, sum);
    }

    /** The longest since this was last asked, in nanoseconds; 0: there was none. One caller; one that comes in between may be missed. */
    public long takeMax() {
        return recorders.stream()
                .mapToLong(recorder -> recorder.values.getAndSet(MAX, 0))
                .max()
                .orElse(0);
    }
}
