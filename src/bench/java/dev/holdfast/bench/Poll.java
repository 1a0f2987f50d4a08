package dev.holdfast.bench;

import dev.holdfast.Eventually;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for something to become true, looked at every 20 ms. */
final class Poll {
    private Poll() {}

    /** Blocks; returns how long it took. */
    static Duration until(Duration atMost, String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        Eventually.await(atMost).pollInterval(Duration.ofMillis(20)).alias(what).until(condition::getAsBoolean);
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
