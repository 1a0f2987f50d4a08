package dev.holdfast.token;

import java.time.Duration;
import java.time.Instant;

/** The passing of time, handed in so that a test can hand in its own. */
interface Timing {
    /** The machine's clock, which may jump. */
    Instant wall();

    /** Nanoseconds from an arbitrary origin, which never jump. */
    long nanos();

    /**
     * Runs an action later, on the context that this is called on.
     *
     * @param delay at least a millisecond
     * @return undoes it; does nothing once it ran
     */
    Runnable after(Duration delay, Runnable action);
}
