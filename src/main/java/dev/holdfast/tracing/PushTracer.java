package dev.holdfast.tracing;

import java.util.function.UnaryOperator;

/** Is told what becomes of pushes, for those who want to see it as traces. Any thread; never blocks and never fails. */
public interface PushTracer {
    /** Traces nothing. */
    PushTracer NONE = new PushTracer() {};

    /**
     * A push is authentic and goes to the journal now.
     *
     * @param since when the head of its request was there, by {@link System#nanoTime}
     * @param headers the request's by name, several ones joined by commas, empty when there is none: may say which trace it belongs
     *     to (W3C Trace Context)
     */
    default PushTrace received(String endpoint, String event, long since, UnaryOperator<String> headers) {
        return PushTrace.NONE;
    }

    /** A batch of pushes goes to a consumer now. */
    default BatchTrace batch(String consumer) {
        return BatchTrace.NONE;
    }

    /** Sends what is left, for some seconds at most. */
    default void close() {}
}
