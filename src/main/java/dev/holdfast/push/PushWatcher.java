package dev.holdfast.push;

/**
 * Watches pushes on their way through the gateway. Called on the delivery's event loop: must be quick and must not
 * fail.
 */
public interface PushWatcher {
    /** Ignores all. */
    PushWatcher NONE = new PushWatcher() {};

    /** The push is durable and was published on the bus under its event. */
    default void published(PushRecord push) {}

    /** A consumer has handled the push. */
    default void handled(PushRecord push, String consumer) {}

    /** An attempt of a consumer failed. It is tried again, or the push becomes a dead letter. */
    default void failed(PushRecord push, String consumer, int attempt) {}
}
