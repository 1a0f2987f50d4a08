package dev.holdfast.token;

import java.time.Duration;
import java.time.Instant;

/** Keeps two requests apart, also those of two processes in a row. */
final class RequestInterval {
    private final Timing timing;
    private long opensNanos;

    RequestInterval(Timing timing) {
        this.timing = timing;
        this.opensNanos = timing.nanos();
    }

    /** The process before this one began a request then. What a clock that jumped says is not believed. */
    void resume(Instant lastRequest) {
        Duration since = Duration.between(lastRequest, timing.wall());
        if (!since.isNegative() && since.compareTo(RenewalPlan.LEAST_BETWEEN_REQUESTS) < 0) {
            opensNanos = timing.nanos()
                    + RenewalPlan.LEAST_BETWEEN_REQUESTS.minus(since).toNanos();
        }
    }

    void requestBegins() {
        opensNanos = timing.nanos() + RenewalPlan.LEAST_BETWEEN_REQUESTS.toNanos();
    }

    /** Until the next request may begin; not positive when it may now. */
    Duration left() {
        return Duration.ofNanos(opensNanos - timing.nanos());
    }
}
