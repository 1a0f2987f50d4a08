package dev.holdfast.store;

import org.jspecify.annotations.Nullable;

/**
 * How it stands with a blocked lane.
 *
 * @param lane fit to be shown
 * @param seq its first push
 * @param event the first push's; null: that is no longer kept
 * @param waiting pushes in it, the first one included
 * @param failed the first one's failed attempts; null: there was none
 * @param nextAttemptAt milliseconds since the epoch; 0: not known, or as soon as its turn comes
 */
public record LaneState(
        String lane,
        long seq,
        @Nullable String event,
        long waiting,
        DeliveryStatus.@Nullable FailedAttempts failed,
        long nextAttemptAt) {}
