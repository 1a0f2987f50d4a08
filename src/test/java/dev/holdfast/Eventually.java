package dev.holdfast;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what is to become true. */
public final class Eventually {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(45);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private Eventually() {}

    /** Tries an assertion again and again until it holds; the last failure is the test's when time is up. */
    public static void eventually(Runnable assertion) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                assertion.run();
                return;
            } catch (AssertionError e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }
}
