package dev.holdfast.tracing;

/** What becomes of a push between its request and the journal. Any thread. */
public interface PushTrace {
    /** The trace of a push that isn't traced. */
    PushTrace NONE = new PushTrace() {};

    /**
     * The push is on disk. Called before any attempt to deliver it.
     *
     * @param duplicate whether the same bytes were stored before, at {@code seq}
     */
    default void stored(long seq, boolean duplicate) {}

    /** The push could not be stored. */
    default void failed(Throwable cause) {}

    /**
     * The push's request is over.
     *
     * @param refusal why the push was refused; empty if it was accepted
     */
    default void answered(String refusal) {}
}
