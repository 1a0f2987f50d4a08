package dev.holdfast.store;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.rocksdb.RocksDBException;

/** Numbers of each consumer, under one kind of {@link StateKey}. Changed by the writer thread; any may ask for what is durable. */
final class ConsumerNumbers {
    private final byte[] kind;
    private final int size;
    private final DurableMap<long[]> numbers = new DurableMap<>();

    /** @param size how many numbers each has */
    ConsumerNumbers(byte[] kind, int size) {
        this.kind = kind;
        this.size = size;
    }

    void load(Database database) throws RocksDBException {
        Map<String, long[]> found = new HashMap<>();
        try (Scan kept = database.scan(ColumnFamily.STATE, kind)) {
            while (kept.next()) {
                byte[] value = kept.value();
                long[] read = IntStream.range(0, size)
                        .mapToLong(place -> StateKey.number(value, place))
                        .toArray();
                found.put(StateKey.name(kind, kept.key()), read);
            }
        }
        numbers.load(found);
    }

    /** Whose there are. */
    Set<String> consumers() {
        return Set.copyOf(numbers.durable().keySet());
    }

    /** One of a consumer's; 0 when it has none. */
    long of(String consumer, int place) {
        long[] known = numbers.durable().get(consumer);
        return known == null ? 0 : known[place];
    }

    /** The first one of each. */
    Map<String, Long> first() {
        return numbers.durable().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue()[0]));
    }

    /** What a consumer has when the group under way is durable. */
    void put(Group group, String consumer, long... fresh) throws RocksDBException {
        numbers.put(group, consumer, fresh);
        group.put(ColumnFamily.STATE, StateKey.of(kind, consumer), StateKey.numbers(fresh));
    }

    void remove(Group group, String consumer) throws RocksDBException {
        numbers.remove(group, consumer);
        group.delete(ColumnFamily.STATE, StateKey.of(kind, consumer));
    }

    /** Adds to what a consumer has by the group under way. */
    void add(Group group, String consumer, long... more) throws RocksDBException {
        long[] sums = more.clone();
        for (int place = 0; place < size; place++) {
            sums[place] += current(consumer, place);
        }
        put(group, consumer, sums);
    }

    /** One of a consumer's by the group under way; 0 when it has none. By the writer thread. */
    long current(String consumer, int place) {
        long[] known = numbers.current(consumer);
        return known == null ? 0 : known[place];
    }
}
