package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import dev.holdfast.retry.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before each kind of action. */
final class RenewalPlan {
    /** Least time between two requests. */
    static final Duration LEAST_BETWEEN_REQUESTS = Duration.ofSeconds(5);

    /** After this the clock is looked at again, in case it jumped or the machine slept. */
    static final Duration HEARTBEAT = Duration.ofSeconds(30);

    private static final Backoff RETRY = Backoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(1));
    /** How often a configured code is sent although the service refuses it: it may not be the code that it refuses. */
    static final int MOST_REFUSALS = 5;

    private static final Duration FIRST_REMINDER = Duration.ofMinutes(1);
    private static final Duration LAST_REMINDER = Duration.ofHours(1);
    private static final Backoff REFUSED = new Backoff(FIRST_REMINDER, 4, LAST_REMINDER);

    private final TokenConfig config;
    private final RandomGenerator random;

    RenewalPlan(TokenConfig config, RandomGenerator random) {
        this.config = config;
        this.random = random;
    }

    /** The age at which a token is renewed. */
    Duration renewalAge(Duration lifetime) {
        double part = config.renewAt() - config.jitter() * random.nextDouble();
        return Duration.ofMillis((long) (lifetime.toMillis() * part));
    }

    /** Wait after this many failures in a row: twice as long each time, up to a minute, half of it at random. */
    Duration retryAfter(int failures) {
        return Duration.ofMillis(RETRY.millis(failures, random.nextDouble() / 2));
    }

    /**
     * Wait before a code is tried again after this many refusals in a row: four times as long each time, up to an hour.
     */
    Duration refusedAfter(int refusals) {
        return Duration.ofMillis(REFUSED.millis(refusals));
    }

    /** Wait before an operator is reminded that a code is needed: shorter while there is time to act. */
    Duration remindAfter(Duration left) {
        Duration quarter = left.dividedBy(4);
        if (quarter.isNegative() || quarter.isZero() || quarter.compareTo(LAST_REMINDER) > 0) {
            return LAST_REMINDER;
        }
        return quarter.compareTo(FIRST_REMINDER) < 0 ? FIRST_REMINDER : quarter;
    }
}
