package dev.holdfast.store;

import java.util.List;

/**
 * Blocked lanes of a consumer, those that failed longest ago first.
 *
 * @param more whether there are others
 */
public record BlockedLanes(List<LaneState> lanes, boolean more) {}
