package dev.holdfast.tracing;

import java.util.function.UnaryOperator;

/** Gets what becomes of pushes, to show it as traces. Any thread; never blocks and never fails. */
public interface PushTracer {
    /** Traces nothing. */
    PushTracer NONE = new PushTracer() {};

    /**
     * A push is authentic and goes to the journal now.
     *
     * @param since when its request's head was complete, by {@link System#nanoTime}
     * @param headers the request's headers by name, several joined by commas, empty if there is none: they may say
     *     which trace it belongs to (W3C Trace Context)
     */
    default PushTrace received(String endpoint, String event, long since, UnaryOperator<String> headers) {
        return PushTrace.NONE;
    }

    /** A batch of pushes goes to a consumer now. */
    default BatchTrace batch(String consumer) {
        return BatchTrace.NONE;
    }

    /** Sends the spans that are left, for some seconds at most. */
    default void close() {}
}
