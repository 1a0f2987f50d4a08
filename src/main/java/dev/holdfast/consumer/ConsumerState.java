package dev.holdfast.consumer;

import org.jspecify.annotations.Nullable;

/**
 * How it stands with a consumer.
 *
 * @param handled the position: everything up to it is handled, durably, or waits in a blocked lane
 * @param lag positions of the journal from the first push that is not handled to the newest
 * @param slowed whether it fails one push after the other and is given few
 * @param lanesBlocked lanes whose pushes wait beside the position
 * @param lanesBackingOff those of them whose first push failed and waits for its next attempt
 * @param lastFailure null: it has not failed yet
 */
public record ConsumerState(
        String name,
        long handled,
        long lag,
        boolean slowed,
        int lanesBlocked,
        int lanesBackingOff,
        @Nullable LastFailure lastFailure) {}
