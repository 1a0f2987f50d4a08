package dev.holdfast.tracing;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One attempt of a consumer at each push of a batch, in order. Used by one thread. */
public interface BatchTrace {
    /** Of a batch that isn't traced. */
    BatchTrace NONE = new BatchTrace() {};

    /**
     * The next push of the batch.
     *
     * @param attempt which attempt it is, from 1
     * @return headers that name the attempt to whoever the consumer sends the push to; empty when it isn't traced
     */
    default Map<String, String> begin(long seq, String endpoint, String event, int attempt) {
        return Map.of();
    }

    /**
     * The consumer's receipt is there.
     *
     * @param handled how many pushes it handled
     * @param failure of the one behind those; null: none failed. What comes after was not attempted
     */
    default void answered(int handled, @Nullable Throwable failure) {}

    /** The batch was begun, and no receipt came. */
    default void unanswered(Throwable failure) {}
}
