package dev.holdfast.consumer;

import org.jspecify.annotations.Nullable;

/**
 * How it stands with a consumer.
 *
 * @param handled everything up to this position is handled, durably, but for the lanes that are behind
 * @param lag positions of the journal from the first push that is not handled to the newest
 * @param slowed whether it fails one push after the other and is given few
 * @param lanesBehind lanes with more pushes to come than are held in memory
 * @param lanesResting lanes whose first push failed and waits for its next attempt
 * @param lastFailure null: it has not failed yet
 */
public record ConsumerState(
        String name,
        long handled,
        long lag,
        boolean slowed,
        int lanesBehind,
        int lanesResting,
        @Nullable LastFailure lastFailure) {}
