package dev.holdfast.retry;

import java.time.Duration;

/**
 * How long to wait after so many failures in a row: exponential up to a ceiling. Any thread.
 *
 * @param first the wait after one failure
 * @param factor so many times longer each time, at least 1
 * @param longest the ceiling
 */
public record Backoff(Duration first, double factor, Duration longest) {

    /** Twice as long each time. */
    public static Backoff doubling(Duration first, Duration longest) {
        return new Backoff(first, 2, longest);
    }

    /** Milliseconds to wait after {@code failures} of them, from 1 on; at least 1. */
    public long millis(int failures) {
        return millis(failures, 0);
    }

    /**
     * The same, shortened.
     *
     * @param part by how much of the whole, from 0 to 1: chance, so that not all come at once
     */
    public long millis(int failures, double part) {
        double grown = (double) first.toMillis() * Math.pow(factor, failures - 1.0);
        double bounded = Math.min(grown, (double) longest.toMillis());
        return Math.max(1, Math.round(bounded * (1 - part)));
    }
}
