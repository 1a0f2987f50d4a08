package dev.holdfast.consumer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How it stands with a consumer.
 *
 * @param phase what it is doing
 * @param events which it wants, as configured; none: it is not configured
 * @param verticle as configured; empty: it is not configured
 * @param handled the position: everything up to it is handled, durably, or waits in a blocked lane; -1: it has none yet
 * @param lag positions of the journal from the first push that is not handled to the newest
 * @param lagSeconds how long the first push that is not handled has been in the journal; 0: there is none
 * @param rate pushes handled a second, over the last ten seconds
 * @param lanesBlocked lanes whose pushes wait beside the position; -1: not known, for it is not delivered to
 * @param lanesBackingOff those of them whose first push failed and waits for its next attempt
 * @param blockedBy the first push of one of these, and what it failed with last; null: there is none
 * @param deadLetters how many it has
 * @param lastFailure null: it has not failed since it was started or resumed
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
        /** It is configured, and does not run yet. */
        STARTING,
        RUNNING,
        /** Its attempts fail one after the other, so that only few are made. */
        SLOWED,
        /** Somebody has paused it. */
        PAUSED,
        /** It is not configured, or can't be started. */
        STOPPED
    }

    public ConsumerState {
        events = List.copyOf(events);
    }

    /** One that nothing is known of but its phase. */
    public ConsumerState(String name, Phase phase, List<String> events, String verticle) {
        this(name, phase, events, verticle, -1, 0, 0, 0, -1, -1, null, 0, null);
    }

    /** The same, by what is kept of it. */
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
