package dev.holdfast.process;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waiting for something that another process brings about. */
final class Patience {
    private static final Duration ENOUGH = Duration.ofMinutes(3);
    private static final long PAUSE_NANOS = 20_000_000;

    private Patience() {}

    /** Looks again and again until it is so; returns how long that took. */
    static Duration until(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > ENOUGH.toNanos()) {
                throw new AssertionError("not within " + ENOUGH + ": " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
