package dev.holdfast.store;

import java.util.List;

/**
 * How it stands with a replay.
 *
 * @param awaited consumers that are not running: their part goes on when they are back
 */
public record ReplayState(Replay replay, Stage stage, List<String> awaited) {
    /** What it is doing. */
    public enum Stage {
        RUNNING,
        /** For a consumer that is away; the others' parts go on. */
        WAITING,
        DONE,
        STOPPED
    }

    public ReplayState {
        awaited = List.copyOf(awaited);
    }
}
