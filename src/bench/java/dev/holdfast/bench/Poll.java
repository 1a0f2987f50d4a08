package dev.holdfast.bench;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for something to become true, looked at every 20 ms. */
final class Poll {
    private Poll() {}

    /** Blocks; returns how long it took. */
    static Duration until(Duration atMost, String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > atMost.toNanos()) {
                throw new IllegalStateException("waited " + atMost.toSeconds() + " s for " + what + ", in vain");
            }
            pause(20);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", e);
        }
    }
}
