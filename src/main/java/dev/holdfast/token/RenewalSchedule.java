package dev.holdfast.token;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the next action is due: at the renewal point, or after the wait that a failure caused. Keeps a least time
 * between two requests, also between those of two processes in a row.
 */
final class RenewalSchedule {
    private static final Duration SHORTEST_TIMER = Duration.ofMillis(1);

    private final Timing timing;
    private final RenewalPlan plan;
    private long opensNanos;
    private @Nullable Long againNanos;
    private int failures;

    RenewalSchedule(Timing timing, RenewalPlan plan) {
        this.timing = timing;
        this.plan = plan;
        this.opensNanos = timing.nanos();
    }

    /**
     * Notes when the previous process began its last request. A time that only a jump of the clock explains is ignored.
     */
    void resume(Instant lastRequest) {
        Duration since = Duration.between(lastRequest, timing.wall());
        if (!since.isNegative() && since.compareTo(RenewalPlan.LEAST_BETWEEN_REQUESTS) < 0) {
            opensIn(RenewalPlan.LEAST_BETWEEN_REQUESTS.minus(since));
        }
    }

    void requestBegins() {
        opensIn(RenewalPlan.LEAST_BETWEEN_REQUESTS);
    }

    void succeeded() {
        failures = 0;
        againNanos = null;
    }

    /** Notes that a request failed and will be made again, after a longer wait each time. Returns the wait. */
    Duration failed() {
        failures++;
        Duration wait = plan.retryAfter(failures);
        againIn(wait);
        return wait;
    }

    /** Lets the next request be made as soon as the least time allows. */
    void proceed() {
        failures = 0;
        againIn(Duration.ZERO);
    }

    /**
     * Waits until it is time to remind the operator, or to try the refused code again.
     *
     * @param refusals of a code that is to be tried again; 0: there is none
     */
    void remindAgain(@Nullable CurrentToken current, int refusals) {
        failures = 0;
        Duration wait = plan.remindAfter(current == null ? Duration.ZERO : current.left());
        if (refusals > 0 && plan.refusedAfter(refusals).compareTo(wait) < 0) {
            wait = plan.refusedAfter(refusals);
        }
        againIn(wait);
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
        Duration most = wait.compareTo(RenewalPlan.HEARTBEAT) > 0 ? RenewalPlan.HEARTBEAT : wait;
        return timing.after(most.compareTo(SHORTEST_TIMER) < 0 ? SHORTEST_TIMER : most, action);
    }

    private void againIn(Duration wait) {
        againNanos = timing.nanos() + wait.toNanos();
    }

    private void opensIn(Duration wait) {
        opensNanos = timing.nanos() + wait.toNanos();
    }
}
