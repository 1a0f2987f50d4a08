package dev.holdfast.tracing;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One attempt of a consumer at each push of a batch, in order. Used by one thread. */
public interface BatchTrace {
    /** The trace of a batch that isn't traced. */
    BatchTrace NONE = new BatchTrace() {};

    /**
     * The attempt at the next push of the batch begins.
     *
     * @param attempt which attempt it is, from 1
     * @return headers that name the attempt to whoever the consumer sends the push to; empty when it isn't traced
     */
    default Map<String, String> begin(long seq, String endpoint, String event, int attempt) {
        return Map.of();
    }

    /**
     * The consumer's receipt has come.
     *
     * @param handled how many pushes it handled
     * @param failure of the push after those; null if none failed. Later pushes were not attempted
     */
    default void answered(int handled, @Nullable Throwable failure) {}

    /** The batch was begun, and no receipt came. */
    default void unanswered(Throwable failure) {}
}
