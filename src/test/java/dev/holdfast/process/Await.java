package dev.holdfast.process;

import dev.holdfast.Eventually;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waiting for something that another process brings about. */
final class Await {
    private static final Duration ENOUGH = Duration.ofMinutes(3);

    private Await() {}

    /** Looks again and again until it is so; returns how long that took. */
    static Duration until(String what, Callable<Boolean> condition) {
        long start = System.nanoTime();
        Eventually.await(ENOUGH).alias(what).until(condition);
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
