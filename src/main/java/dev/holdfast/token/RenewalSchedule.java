package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import dev.holdfast.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * When something is to be done next: at the renewal point, or after a wait that a failure brought. It keeps two requests apart, also
 * those of two processes in a row.
 */
final class RenewalSchedule {
    /** Between two requests, whatever happens. */
    private static final Duration LEAST_BETWEEN_REQUESTS = Duration.ofSeconds(5);

    /** After this the clock is looked at again, in case it jumped or the machine slept. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(30);

    private static final Backoff RETRY = Backoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(1));
    private static final Duration FIRST_REMINDER = Duration.ofMinutes(1);
    private static final Duration LAST_REMINDER = Duration.ofHours(1);
    private static final Backoff REFUSED = new Backoff(FIRST_REMINDER, 4, LAST_REMINDER);
    private static final Duration SHORTEST_TIMER = Duration.ofMillis(1);

    private final TokenConfig config;
    private final Timing timing;
    private final RandomGenerator random;
    private long opensNanos;
    private @Nullable Long againNanos;
    private int failures;

    RenewalSchedule(TokenConfig config, Timing timing, RandomGenerator random) {
        this.config = config;
        this.timing = timing;
        this.random = random;
        this.opensNanos = timing.nanos();
    }

    /** The age at which a token is renewed. */
    Duration renewalAge(Duration lifetime) {
        double part = config.renewAt() - config.jitter() * random.nextDouble();
        return Duration.ofMillis((long) (lifetime.toMillis() * part));
    }

    /** The process before this one began a request then. What a clock that jumped says is not believed. */
    void resume(Instant lastRequest) {
        Duration since = Duration.between(lastRequest, timing.wall());
        if (!since.isNegative() && since.compareTo(LEAST_BETWEEN_REQUESTS) < 0) {
            opensIn(LEAST_BETWEEN_REQUESTS.minus(since));
        }
    }

    void requestBegins() {
        opensIn(LEAST_BETWEEN_REQUESTS);
    }

    void succeeded() {
        failures = 0;
        againNanos = null;
    }

    /** Once more: after twice as long each time, up to a minute, half of it at random; how long. */
    Duration failed() {
        failures++;
        Duration wait = Duration.ofMillis(RETRY.millis(failures, random.nextDouble() / 2));
        againIn(wait);
        return wait;
    }

    /** Something else, as soon as may be. */
    void proceed() {
        failures = 0;
        againIn(Duration.ZERO);
    }

    /**
     * Once more when it is time to remind an operator again, or to try the refused code again: after four times as long each time, up to
     * an hour.
     *
     * @param refusals of a code that is to be tried again; 0: there is none
     */
    void remindAgain(@Nullable CurrentToken current, int refusals) {
        failures = 0;
        Duration wait = remindAfter(current == null ? Duration.ZERO : current.left());
        Duration tryAfter = refusals == 0 ? wait : Duration.ofMillis(REFUSED.millis(refusals));
        againIn(tryAfter.compareTo(wait) < 0 ? tryAfter : wait);
    }

    /** Sooner while there is time to act. */
    private static Duration remindAfter(Duration left) {
        Duration quarter = left.dividedBy(4);
        if (quarter.isNegative() || quarter.isZero() || quarter.compareTo(LAST_REMINDER) > 0) {
            return LAST_REMINDER;
        }
        return quarter.compareTo(FIRST_REMINDER) < 0 ? FIRST_REMINDER : quarter;
    }

    /** Until a request may be made for somebody who waits; not positive when it may now. */
    Duration untilAllowed() {
        return Duration.ofNanos(opensNanos - timing.nanos());
    }

    /**
     * Until the next thing is due; not positive when it is.
     *
     * @param asRequest whether that would be a request
     */
    Duration untilDue(@Nullable CurrentToken current, boolean asRequest) {
        Duration due = Duration.ZERO;
        if (againNanos != null) {
            due = Duration.ofNanos(againNanos - timing.nanos());
        } else if (current != null) {
            due = current.untilRenewal();
        }
        return asRequest && untilAllowed().compareTo(due) > 0 ? untilAllowed() : due;
    }

    /** Looks again after this wait, or sooner: the clock may jump meanwhile. */
    Runnable wake(Duration wait, Runnable action) {
        Duration most = wait.compareTo(HEARTBEAT) > 0 ? HEARTBEAT : wait;
        return timing.after(most.compareTo(SHORTEST_TIMER) < 0 ? SHORTEST_TIMER : most, action);
    }

    private void againIn(Duration wait) {
        againNanos = timing.nanos() + wait.toNanos();
    }

    private void opensIn(Duration wait) {
        opensNanos = timing.nanos() + wait.toNanos();
    }
}
