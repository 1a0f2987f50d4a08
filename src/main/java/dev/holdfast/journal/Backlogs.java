package dev.holdfast.journal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What is kept in the journal because somebody has not had it. Any thread. */
public interface Backlogs {
    /**
     * What one consumer, or one replay, has not had.
     *
     * @param name whose it is, fit to be shown
     * @param from the lowest position that it may still need
     * @param hold how old a push has to be before it may be given up
     */
    record Backlog(String name, long from, Duration hold) {}

    /** Everybody's. Cheap. */
    List<Backlog> backlogs();

    /** The lowest position that anybody may still need; {@link Long#MAX_VALUE} when nobody needs any. */
    default long neededFrom() {
        return backlogs().stream().mapToLong(Backlog::from).min().orElse(Long.MAX_VALUE);
    }

    /**
     * Gives up what lies below a position for everybody who still needs it, and counts it in the ledger. Completes when that is
     * durable; fails where it could not be done for somebody, who needs it as before.
     */
    CompletionStage<Void> giveUp(long below);
}
