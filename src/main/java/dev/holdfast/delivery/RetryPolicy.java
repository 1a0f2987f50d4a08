package dev.holdfast.delivery;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.RetryLater;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.retry.Backoff;
import dev.holdfast.store.BlockedPush.RetryState;
import dev.holdfast.store.DeadLetter.Failure;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Whether a push is tried again, and after how long: with a {@link Backoff}, shortened at random. */
final class RetryPolicy {
    /** A consumer that asks for more doesn't get it: the lane stands still meanwhile. */
    private static final Duration MOST_ASKED = Duration.ofHours(1);

    private final RetryConfig config;
    private final Backoff backoff;
    private final DoubleSupplier random;

    /** @param random from 0 (inclusive) to 1 (exclusive) */
    RetryPolicy(RetryConfig config, DoubleSupplier random) {
        this.config = config;
        this.backoff = new Backoff(config.firstDelay(), config.factor(), config.maxDelay());
        this.random = random;
    }

    /** Milliseconds to wait after {@code attempts} failed ones, at least 1. */
    long delayMillis(int attempts) {
        return backoff.millis(attempts, config.jitter() * random.getAsDouble());
    }

    /** The same, and no less than a failure that is a {@link RetryLater} asks for, up to an hour. */
    long delayMillis(int attempts, Throwable failure) {
        Duration asked =
                failure instanceof RetryLater later && !later.atLeast().isNegative() ? later.atLeast() : Duration.ZERO;
        // Compared before it is converted: a duration may be longer than its milliseconds can be told.
        long millis = (asked.compareTo(MOST_ASKED) < 0 ? asked : MOST_ASKED).toMillis();
        return Math.max(millis, delayMillis(attempts));
    }

    /**
     * What has happened to a push by now.
     *
     * @param before null: it had not failed
     * @param at when it failed, milliseconds since the epoch
     * @param counts whether that brings it nearer to its last attempt
     * @param triedMillis for how long since the last failure it could be tried, whatever the clock was set to meanwhile
     */
    static RetryState failed(@Nullable RetryState before, long at, String error, boolean counts, long triedMillis) {
        int counted = counts ? 1 : 0;
        Failure failure = new Failure(at, error);
        return before == null
                ? new RetryState(1, counted, failure, failure, 0)
                : new RetryState(
                        before.attempts() + 1,
                        before.counted() + counted,
                        before.first(),
                        failure,
                        before.openMillis() + at - before.last().at() - triedMillis);
    }

    /** Whether no further attempt is to be made. */
    boolean isLast(RetryState retry) {
        boolean often = config.maxAttempts() != null && retry.counted() >= config.maxAttempts();
        long age = retry.last().at() - retry.first().at() - retry.openMillis();
        boolean tooOld = config.maxAge() != null && age >= config.maxAge().toMillis();
        return often || tooOld;
    }

    /** Whether no attempt can succeed; false where the failure itself fails to tell its cause. */
    static boolean isPermanent(Throwable failure) {
        try {
            return failure instanceof PermanentFailure || failure.getCause() instanceof PermanentFailure;
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
            return false;
        }
    }
}
