package dev.holdfast.store;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** How many dead letters each consumer has, and their bytes: kept in the write that changes them. */
final class DeadLetterSizes implements CachedState {
    /** Of one consumer's. */
    record Size(long count, long bytes) {
        private static final Size NONE = new Size(0, 0);
    }

    private final Map<String, Size> durable = new ConcurrentHashMap<>();
    /** By the group under way. Of the writer thread. */
    private final Map<String, Size> changed = new HashMap<>();

    @Override
    public void load(Database database) throws RocksDBException {
        Map<String, Size> found = new HashMap<>();
        try (RocksIterator size = database.scan(ColumnFamily.STATE)) {
            for (size.seek(StateKey.DEAD_LETTERS);
                    size.isValid() && BlockedPushForm.hasPrefix(size.key(), StateKey.DEAD_LETTERS);
                    size.next()) {
                Size kept = new Size(StateKey.number(size.value(), 0), StateKey.number(size.value(), 1));
                found.put(StateKey.consumer(StateKey.DEAD_LETTERS, size.key()), kept);
            }
            size.status();
        }
        durable.keySet().retainAll(found.keySet());
        durable.putAll(found);
    }

    /** Those that have any. Any thread. */
    SortedSet<String> consumers() {
        SortedSet<String> names = new TreeSet<>(durable.keySet());
        names.removeIf(consumer -> of(consumer).count() == 0);
        return names;
    }

    /** What is durable of a consumer. Any thread. */
    Size of(String consumer) {
        return durable.getOrDefault(consumer, Size.NONE);
    }

    /** A letter is added, or one is taken out, by the group under way; how many there are then. */
    long change(Group group, String consumer, int letters, long bytes) throws RocksDBException {
        Size now = changed.getOrDefault(consumer, of(consumer));
        Size then = new Size(now.count() + letters, now.bytes() + bytes);
        changed.put(consumer, then);
        byte[] key = StateKey.of(StateKey.DEAD_LETTERS, consumer);
        group.put(ColumnFamily.STATE, key, StateKey.numbers(then.count(), then.bytes()));
        return then.count();
    }

    @Override
    public void committed(Database database) {
        durable.putAll(changed);
        abandoned();
    }

    @Override
    public void abandoned() {
        changed.clear();
    }
}
