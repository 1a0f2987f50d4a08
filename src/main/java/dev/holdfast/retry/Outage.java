package dev.holdfast.retry;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When to tell of what fails again and again: at once when it begins, then after 2 s, each time twice as long, up to a minute;
 * and once when it is over. What comes and goes is told every 2 s at most. By one thread.
 */
public final class Outage {
    private static final Backoff SILENCE = Backoff.doubling(Duration.ofSeconds(2), Duration.ofMinutes(1));

    private final LongSupplier nanos;
    private long nextLine;
    private int lines;

    public Outage() {
        this(System::nanoTime);
    }

    /** @param nanos the time, as {@link System#nanoTime} tells it */
    Outage(LongSupplier nanos) {
        this.nanos = nanos;
        this.nextLine = nanos.getAsLong();
    }

    /** It has failed; returns whether that is to be told. */
    public boolean failed() {
        long now = nanos.getAsLong();
        if (now - nextLine < 0) {
            return false;
        }
        lines++;
        nextLine = now + silence(lines);
        return true;
    }

    /** It has not failed; returns whether that is to be told: it was told that it failed. */
    public boolean over() {
        if (lines == 0) {
            return false;
        }
        lines = 0;
        nextLine = nanos.getAsLong() + silence(1);
        return true;
    }

    private static long silence(int lines) {
        return TimeUnit.MILLISECONDS.toNanos(SILENCE.millis(lines));
    }
}
