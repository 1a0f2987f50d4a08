package dev.holdfast.delivery;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.RetryLater;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** How long to wait before the next attempt: exponential up to a ceiling, shortened at random. */
final class Backoff {
    /** A consumer that asks for more doesn't get it: the lane stands still meanwhile. */
    private static final Duration MOST_ASKED = Duration.ofHours(1);

    private final RetryConfig config;
    private final DoubleSupplier random;

    /** @param random from 0 (inclusive) to 1 (exclusive) */
    Backoff(RetryConfig config, DoubleSupplier random) {
        this.config = config;
        this.random = random;
    }

    /** Milliseconds to wait after {@code attempts} failed ones, at least 1. */
    long millisAfter(int attempts) {
        double grown = (double) config.firstDelay().toMillis() * Math.pow(config.factor(), attempts - 1.0);
        double bounded = Math.min(grown, (double) config.maxDelay().toMillis());
        return Math.max(1, Math.round(bounded * (1 - config.jitter() * random.getAsDouble())));
    }

    /** The same, and no less than a failure that is a {@link RetryLater} asks for, up to an hour. */
    long millisAfter(int attempts, Throwable failure) {
        Duration asked = failure instanceof RetryLater later ? later.atLeast() : Duration.ZERO;
        // Compared before it is converted: a duration may be longer than its milliseconds can be told.
        long millis = (asked.compareTo(MOST_ASKED) < 0 ? asked : MOST_ASKED).toMillis();
        return Math.max(millis, millisAfter(attempts));
    }
}
