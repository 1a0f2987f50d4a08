package dev.holdfast.store;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What is kept of each consumer in memory. The writer thread has it as the group under way leaves it, others as it is durable. */
final class DurableMap<V> {
    private final Map<String, V> durable = new ConcurrentHashMap<>();
    /** Of the writer thread. */
    private final Map<String, V> current = new HashMap<>();

    /** What the database has. */
    void load(Map<String, V> found) {
        current.clear();
        current.putAll(found);
        durable.keySet().retainAll(found.keySet());
        durable.putAll(found);
    }

    /** By the writer thread: as it will be when the group under way is durable. */
    @Nullable
    V current(String consumer) {
        return current.get(consumer);
    }

    void put(Group group, String consumer, V value) {
        current.put(consumer, value);
        group.whenDurable(() -> durable.put(consumer, value));
    }

    void remove(Group group, String consumer) {
        current.remove(consumer);
        group.whenDurable(() -> durable.remove(consumer));
    }

    /** What is durable, to be read only. Any thread. */
    Map<String, V> durable() {
        return durable;
    }
}
