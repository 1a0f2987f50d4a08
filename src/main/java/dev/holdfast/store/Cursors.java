package dev.holdfast.store;

import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * How far each consumer has come, with what is behind of each lane: what the delivery goes by until it notes blocked pushes.
 * Goes with it; {@link Positions} and {@link BlockedPushes} take its place.
 */
public interface Cursors {
    /** For each consumer that has one, how far it has come, as durably saved. Cheap. */
    Map<String, Progress> all();

    /**
     * Keeps how far a consumer has come; completes when it is durable, on the store's own thread. It rides on the next
     * write, or goes by itself when none comes within some milliseconds: never blocks.
     *
     * @param urgent whether it goes at once, if need be by itself: somebody waits for it
     */
    CompletionStage<Void> save(String consumer, Progress progress, boolean urgent);

    /** The same when nobody waits for it. */
    default CompletionStage<Void> save(String consumer, Progress progress) {
        return save(consumer, progress, false);
    }

    /** The same for a consumer that has handled everything up to {@code seq}. */
    default CompletionStage<Void> save(String consumer, long seq) {
        return save(consumer, Progress.upTo(seq));
    }
}
