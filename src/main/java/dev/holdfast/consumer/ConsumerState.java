package dev.holdfast.consumer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's state.
 *
 * @param phase what it is doing
 * @param events that it wants, as configured; empty if it is not configured
 * @param verticle as configured; empty if it is not configured
 * @param handled its position: everything up to it is handled durably, or waits in a blocked lane; -1 if it has none
 *     yet
 * @param lag positions of the journal from the first push that is not handled to the newest
 * @param lagSeconds how long the first push that is not handled has been in the journal; 0 if there is none
 * @param rate pushes handled a second, over the last ten seconds
 * @param lanesBlocked lanes whose pushes wait as references in the store; -1 if unknown, because the consumer isn't
 *     running
 * @param lanesBackingOff those of them whose first push failed and waits for its next attempt
 * @param blockedBy the first push of one of these lanes, and its last error; null if there is none
 * @param deadLetters how many dead letters it has
 * @param lastFailure null if it has not failed since it was started or resumed
 */
public record ConsumerState(
        String name,
        Phase phase,
        List<String> events,
        String verticle,
        long handled,
        long lag,
        double lagSeconds,
        double rate,
        int lanesBlocked,
        int lanesBackingOff,
        @Nullable LastFailure blockedBy,
        long deadLetters,
        @Nullable LastFailure lastFailure) {
    /** What a consumer is doing. */
    public enum Phase {
        /** It is configured and doesn't run yet. */
        STARTING,
        RUNNING,
        /** Its attempts fail one after the other, so that only few are made. */
        SLOWED,
        /** A call has outlived its timeout and keeps the thread, of each instance: nothing more reaches it until one comes back. */
        STUCK,
        /** Somebody has paused it. */
        PAUSED,
        /** It is not configured, or can't be started. */
        STOPPED
    }

    public ConsumerState {
        events = List.copyOf(events);
    }

    /** The state of a consumer of which only the phase is known. */
    public ConsumerState(String name, Phase phase, List<String> events, String verticle) {
        this(name, phase, events, verticle, -1, 0, 0, 0, -1, -1, null, 0, null);
    }

    /** The same state with figures from what is kept of the consumer. */
    public ConsumerState with(long position, long behind, double behindSeconds, long letters) {
        return new ConsumerState(
                name,
                phase,
                events,
                verticle,
                handled < 0 ? position : handled,
                behind,
                behindSeconds,
                rate,
                lanesBlocked,
                lanesBackingOff,
                blockedBy,
                letters,
                lastFailure);
    }
}
