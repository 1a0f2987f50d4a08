package dev.holdfast.store;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.rocksdb.RocksDBException;

/** Numbers of each consumer, under one kind of {@link StateKey}. Changed by the writer thread; any may ask for what is durable. */
final class ConsumerNumbers implements CachedState {
    private final byte[] kind;
    private final int size;
    private final Map<String, long[]> durable = new ConcurrentHashMap<>();
    /** By the group under way; empty: there are none any more. Of the writer thread. */
    private final Map<String, long[]> changed = new HashMap<>();

    /** @param size how many numbers each has */
    ConsumerNumbers(byte[] kind, int size) {
        this.kind = kind;
        this.size = size;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        Map<String, long[]> found = new HashMap<>();
        try (Scan kept = database.scan(ColumnFamily.STATE, kind)) {
            while (kept.next()) {
                long[] numbers = new long[size];
                for (int place = 0; place < size; place++) {
                    numbers[place] = StateKey.number(kept.value(), place);
                }
                found.put(StateKey.consumer(kind, kept.key()), numbers);
            }
        }
        durable.keySet().retainAll(found.keySet());
        durable.putAll(found);
    }

    /** Whose there are. */
    Set<String> consumers() {
        return Set.copyOf(durable.keySet());
    }

    /** One of a consumer's; 0 when it has none. */
    long of(String consumer, int place) {
        long[] numbers = durable.get(consumer);
        return numbers == null ? 0 : numbers[place];
    }

    /** The first one of each. */
    Map<String, Long> first() {
        return durable.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue()[0]));
    }

    /** What a consumer has when the group under way is durable; no numbers: none. */
    void put(Group group, String consumer, long... numbers) throws RocksDBException {
        changed.put(consumer, numbers);
        byte[] value = numbers.length == 0 ? null : StateKey.numbers(numbers);
        group.keep(ColumnFamily.STATE, StateKey.of(kind, consumer), value);
    }

    /** Adds to what a consumer has by the group under way; the first sum. */
    long add(Group group, String consumer, long... more) throws RocksDBException {
        long[] before = changed.getOrDefault(consumer, durable.getOrDefault(consumer, new long[size]));
        long[] sums = new long[size];
        for (int place = 0; place < size; place++) {
            sums[place] = before[place] + more[place];
        }
        put(group, consumer, sums);
        return sums[0];
    }

    @Override
    public void committed(Database database) {
        changed.forEach((consumer, numbers) -> {
            if (numbers.length == 0) {
                durable.remove(consumer);
            } else {
                durable.put(consumer, numbers);
            }
        });
        abandoned();
    }

    @Override
    public void abandoned() {
        changed.clear();
    }
}
