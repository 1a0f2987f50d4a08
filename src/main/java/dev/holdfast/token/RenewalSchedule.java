package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import dev.holdfast.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * When the next action is due: at the renewal point, or after the wait that a failure caused. Keeps a least time
 * between two requests, also between those of two processes in a row.
 */
final class RenewalSchedule {
    private static final Duration LEAST_BETWEEN_REQUESTS = Duration.ofSeconds(5);
    private static final Duration SHORTEST_TIMER = Duration.ofMillis(1);
    /** After this the clock is looked at again, in case it jumped or the machine slept. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(30);

    private static final Backoff RETRY = Backoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(1));
    private static final Duration FIRST_REMINDER = Duration.ofMinutes(1);
    private static final Duration LAST_REMINDER = Duration.ofHours(1);
    private static final Backoff REFUSED = new Backoff(FIRST_REMINDER, 4, LAST_REMINDER);

    private final TokenConfig config;
    private final RandomGenerator random;
    private final Timing timing;
    private long opensNanos;
    private @Nullable Long againNanos;
    private int failures;

    RenewalSchedule(TokenConfig config, RandomGenerator random, Timing timing) {
        this.config = config;
        this.random = random;
        this.timing = timing;
        this.opensNanos = timing.nanos();
    }

    /** The age at which a token is renewed: somewhat at random, so that not all gateways renew at once. */
    Duration renewalAge(Duration lifetime) {
        double part = config.renewAt() - config.jitter() * random.nextDouble();
        return Duration.ofMillis((long) (lifetime.toMillis() * part));
    }

    /**
     * Notes when the previous process began its last request. A time that only a jump of the clock explains is ignored.
     */
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

    /**
     * Notes that a request failed and will be made again: after twice as long each time, up to a minute, half of it at
     * random. Returns the wait.
     */
    Duration failed() {
        failures++;
        Duration wait = Duration.ofMillis(RETRY.millis(failures, random.nextDouble() / 2));
        againIn(wait);
        return wait;
    }

    /** Lets the next request be made as soon as the least time allows. */
    void proceed() {
        failures = 0;
        againIn(Duration.ZERO);
    }

    /**
     * Waits until it is time to remind the operator, or to try the refused code again: after four times as long each
     * time, up to an hour.
     *
     * @param refusals of a code that is to be tried again; 0: there is none
     */
    void remindAgain(@Nullable CurrentToken current, int refusals) {
        failures = 0;
        Duration wait = untilReminder(current == null ? Duration.ZERO : current.left());
        Duration refused = Duration.ofMillis(REFUSED.millis(refusals));
        againIn(refusals > 0 && refused.compareTo(wait) < 0 ? refused : wait);
    }

    /** Wait before an operator is reminded that a code is needed: shorter while there is time to act. */
    private static Duration untilReminder(Duration left) {
        Duration quarter = left.dividedBy(4);
        if (quarter.isNegative() || quarter.isZero() || quarter.compareTo(LAST_REMINDER) > 0) {
            return LAST_REMINDER;
        }
        return quarter.compareTo(FIRST_REMINDER) < 0 ? FIRST_REMINDER : quarter;
    }

    /** Time until a request may be made for somebody who waits; not positive if it may be made now. */
    Duration untilAllowed() {
        return Duration.ofNanos(opensNanos - timing.nanos());
    }

    /**
     * Time until the next action is due; not positive when it is.
     *
     * @param asRequest whether that action would be a request
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

    /** Runs the action after this wait, or sooner, since the clock may jump meanwhile; returns how to cancel that. */
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
