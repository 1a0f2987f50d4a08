package dev.holdfast.consumer;

import org.jspecify.annotations.Nullable;

/**
 * A consumer's acknowledgement of a {@link PushBatch}.
 *
 * @param handled how many of its pushes, from the first on, were handled; fewer than there were, without a failure, when
 *     the consumer gave the rest back to be sent again
 * @param failure why the one after them was not; null when none failed
 */
public record Receipt(int handled, @Nullable Throwable failure) {}
