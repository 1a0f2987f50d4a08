package dev.holdfast.consumer;

import java.time.Duration;
import java.util.Objects;

/**
 * A consumer fails with this when it knows for how long the next attempt is useless. The delivery waits that long, up
 * to an hour, or until the gateway is restarted.
 */
public final class RetryLater extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration atLeast;

    /**
     * @param message what went wrong, with nothing of the push and no secret in it
     * @param atLeast the least time until the next attempt; zero leaves it to the delivery
     */
    public RetryLater(String message, Duration atLeast) {
        super(message, null, false, false);
        this.atLeast = Objects.requireNonNull(atLeast, "atLeast");
    }

    /** The least time until the next attempt. */
    public Duration atLeast() {
        return atLeast;
    }
}
