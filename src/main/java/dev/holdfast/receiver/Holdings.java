package dev.holdfast.receiver;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What of a room is held, by which networks and connections, and what more may be. For one thread at a time. */
final class Holdings {
    private final long capacity;
    private final Map<Object, Long> holders = new HashMap<>();
    private long total;

    Holdings(long capacity) {
        this.capacity = capacity;
    }

    long total() {
        return total;
    }

    void add(String network, Peer connection, long bytes) {
        total += bytes;
        holders.compute(network, (key, has) -> plus(has, bytes));
        holders.compute(connection, (key, has) -> plus(has, bytes));
    }

    private static @Nullable Long plus(@Nullable Long has, long more) {
        long sum = (has == null ? 0 : has) + more;
        return sum == 0 ? null : sum;
    }

    boolean allow(String network, Peer connection, long more) {
        long wanted = total + more;
        if (total == 0 || wanted <= capacity / 2) {
            return true;
        }
        return wanted <= capacity && hasShare(network, more, capacity / 4) && hasShare(connection, more, capacity / 8);
    }

    private boolean hasShare(Object holder, long more, long share) {
        long has = holders.getOrDefault(holder, 0L);
        return has == 0 || has + more <= share;
    }

    /** Whether a network holds more than its share. */
    boolean isGreedy(String network) {
        return holders.getOrDefault(network, 0L) > capacity / 4;
    }
}
