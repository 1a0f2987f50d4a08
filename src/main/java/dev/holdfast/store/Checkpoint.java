package dev.holdfast.store;

import java.util.List;

/**
 * What has changed for one consumer since its last checkpoint.
 *
 * @param consumer whose: the consumer's name, or, for its part of a replay, {@code replay/}, the replay's identifier, {@code /}
 *     and the consumer's name
 * @param position everything up to it is done, or is a blocked push
 * @param blocked some may lie beyond the position; to be kept, in the place of those of the same lane and {@code seq}, but for
 *     the retry state of those where there is one and the new one has none
 * @param released no longer blocked: done, or dead letters by now
 */
public record Checkpoint(String consumer, long position, List<BlockedPush> blocked, List<BlockedPush.Key> released) {
    public Checkpoint {
        blocked = List.copyOf(blocked);
        released = List.copyOf(released);
    }
}
