package dev.holdfast.delivery;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The lanes of one consumer, by their keys, that handled what they last had; only the newest few. They may go on while the
 * consumer is slowed because others fail: they tell soonest whether it fails everything. On the delivery's event loop.
 */
final class WorkingLanes {
    /** So many attempts are made in vain at the most when the consumer does fail everything. */
    private static final int MOST = 16;

    private final Set<String> keys = new LinkedHashSet<>();

    void handled(Lane lane) {
        keys.remove(lane.key());
        keys.add(lane.key());
        if (keys.size() > MOST) {
            keys.remove(keys.iterator().next());
        }
    }

    void failed(Lane lane) {
        keys.remove(lane.key());
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    boolean has(Lane lane) {
        return keys.contains(lane.key());
    }
}
