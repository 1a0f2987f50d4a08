package dev.holdfast.store;

import java.util.List;
import java.util.Optional;

/**
 * References to pushes whose lane is blocked. Changed by {@link Positions#save} only, together with the position. Every
 * method sees what is durable and, unless it says otherwise, reads the disk: blocks.
 */
public interface BlockedPushes {
    /**
     * The first blocked push of each lane of a consumer, in the order of lanes, which is that of {@link String#compareTo}; at
     * most {@code max}.
     */
    List<BlockedPush> firstOfEachLane(String consumer, int max);

    /** Those of one lane from {@code from} on, in the order of {@code seq}; at most {@code max}. */
    List<BlockedPush> ofLane(String consumer, String lane, long from, int max);

    /** The one at a position, whichever its lane. */
    Optional<BlockedPush> at(String consumer, long seq);

    /** All of a consumer as they are at one moment, in the order of {@code seq}; at most {@code max}. */
    List<BlockedPush.Key> keys(String consumer, int max);

    /** The highest {@code seq} that is blocked in each lane of a consumer, in the order of lanes. */
    List<Long> lastOfEachLane(String consumer);

    /** The highest {@code seq} that is blocked for a consumer; 0: none. */
    long last(String consumer);

    /**
     * The lowest {@code seq} that a consumer may still need, as a start after a crash would find it: its first blocked one, or the
     * one behind its position; 0: it has no position, or the store was never open. In memory.
     */
    long neededFrom(String consumer);

    /** How many are blocked for a consumer. */
    long count(String consumer);
}
