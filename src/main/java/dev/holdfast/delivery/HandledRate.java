package dev.holdfast.delivery;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** How many pushes a second a consumer has handled lately: looked at once a second, never for each push. By one thread. */
final class HandledRate {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int SAMPLES = 10;

    private record Sample(long at, double count) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /**
     * Now and then.
     *
     * @param count all that were handled by now
     */
    void tick(long nanoTime, double count) {
        if (samples.isEmpty() || nanoTime - samples.getLast().at() >= EVERY_NANOS) {
            samples.addLast(new Sample(nanoTime, count));
        }
        if (samples.size() > SAMPLES) {
            samples.removeFirst();
        }
    }

    /** Since the oldest sample; 0 while there is none. */
    double perSecond(long nanoTime, double count) {
        Sample oldest = samples.peekFirst();
        if (oldest == null || nanoTime - oldest.at() <= 0) {
            return 0;
        }
        return (count - oldest.count()) * EVERY_NANOS / (nanoTime - oldest.at());
    }
}
