package dev.holdfast.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happens next in a play. Positions are given in percent of the pushes there are by then. */
sealed interface Step {
    record Send(List<PlannedPush> pushes) implements Step {}

    /** A clean stop and a new start. */
    record Stop() implements Step {}

    /** The process dies when delivery has written so many times more, or a moment later, and is started anew. */
    record Crash(int writes) implements Step {}

    /** From now on nobody's place is saved, until the next stop, crash or bounce. */
    record Hold() implements Step {}

    /** Mends every {@code each}-th of these dead letters, and asks for all of them to be tried again. */
    record Retry(int consumer, int from, int to, @Nullable String event, int each) implements Step {}

    /** Replays what is in the journal, unless something is being replayed already. */
    record Replay(int consumer, int from, int to, @Nullable String event, int rate) implements Step {}

    /** A consumer is paused and added again. */
    record Bounce(int consumer) implements Step {}

    /** Gives up what nobody needs any more. */
    record GiveUp() implements Step {}
}
