package dev.holdfast.tracing;

/** What becomes of a push between its request and the journal. Any thread. */
public interface PushTrace {
    /** Of a push that isn't traced. */
    PushTrace NONE = new PushTrace() {};

    /**
     * It is on disk. Comes before any attempt to deliver it.
     *
     * @param duplicate whether it was there before, as {@code seq}
     */
    default void stored(long seq, boolean duplicate) {}

    /** It could not be stored. */
    default void failed(Throwable cause) {}

    /**
     * Its request is over.
     *
     * @param refusal why the push was refused; empty when it was accepted
     */
    default void answered(String refusal) {}
}
