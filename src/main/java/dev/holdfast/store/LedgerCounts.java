package dev.holdfast.store;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The ledger's counts: those of this process in memory, of today and yesterday and of what is not durable yet; and what the store
 * has. Any thread, but for {@link #load} and {@link #addTo}, which are the writer thread's.
 */
final class LedgerCounts {
    /** Of one key. A write has all of it, {@link #base} and {@link #sum}, so that it may be repeated. */
    static final class Count {
        private final LongAdder added = new LongAdder();
        private volatile LedgerForm.Total range = LedgerForm.Total.NONE;
        /** What the store had when this process wrote nothing yet; null: not looked up. Of the writer thread, like the next. */
        volatile LedgerForm.@Nullable Total base;

        volatile long durable;

        long sum() {
            return added.sum();
        }

        /** Their positions are among those of the sum before that is. */
        synchronized void widen(long firstSeq, long lastSeq) {
            range = range.plus(new LedgerForm.Total(0, firstSeq, lastSeq));
        }

        /** With {@link #base}, or, where that was not looked up, with what the store is found to have. */
        LedgerForm.Total total(LedgerForm.Total found, long sum) {
            LedgerForm.Total before = base;
            return (before == null ? found : before).plus(new LedgerForm.Total(sum, range.firstSeq(), range.lastSeq()));
        }

        boolean isDurable() {
            return durable == sum();
        }
    }

    private static final Comparator<LedgerForm.Key> NEWEST_FIRST = Comparator.comparing(LedgerForm.Key::day)
            .reversed()
            .thenComparing(LedgerForm.Key::cause)
            .thenComparing(LedgerForm.Key::endpoint)
            .thenComparing(LedgerForm.Key::consumer)
            .thenComparing(LedgerForm.Key::event);

    private final Map<LedgerForm.Key, Count> counts = new ConcurrentHashMap<>();
    private final Clock clock;
    private final StoreMeters meters;
    /** Those of which the store has counts. Of the writer thread. */
    private final TreeSet<Integer> days = new TreeSet<>();

    LedgerCounts(Clock clock, StoreMeters meters) {
        this.clock = clock;
        this.meters = meters;
    }

    int today() {
        return Math.toIntExact(
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toEpochDay());
    }

    void add(String cause, String endpoint, String consumer, long times) {
        count(new LedgerForm.Key(today(), cause, endpoint, consumer, "")).added.add(times);
        meters.ledger(cause, times);
    }

    void add(String cause, String consumer, String event, LedgerForm.Total pushes) {
        Count count = count(new LedgerForm.Key(today(), cause, "", consumer, event));
        count.widen(pushes.firstSeq(), pushes.lastSeq());
        count.added.add(pushes.count());
        meters.ledger(cause, pushes.count());
    }

    private Count count(LedgerForm.Key key) {
        Count count = counts.get(key);
        return count == null ? counts.computeIfAbsent(key, fresh -> new Count()) : count;
    }

    boolean isDurable() {
        return counts.values().stream().allMatch(Count::isDurable);
    }

    /** Reads those of today and yesterday too, which are added to: damage can still be set aside. */
    void load(Database database) throws RocksDBException {
        days.clear();
        try (Scan count = database.scan(ColumnFamily.STATE, LedgerForm.COUNT)) {
            while (count.next()) {
                days.add(LedgerForm.dayOf(count.key()));
                count.skipTo(LedgerForm.day(days.last() + 1));
            }
            count.skipTo(LedgerForm.day(today() - 1));
            while (count.next()) {
                LedgerForm.total(count.value());
            }
        }
    }

    void addTo(Group group) throws RocksDBException {
        for (Map.Entry<LedgerForm.Key, Count> entry : counts.entrySet()) {
            Count count = entry.getValue();
            long sum = count.sum();
            if (sum != count.durable) {
                byte[] key = LedgerForm.key(entry.getKey());
                if (count.base == null) {
                    byte[] value = group.get(ColumnFamily.STATE, key);
                    count.base = value == null ? LedgerForm.Total.NONE : LedgerForm.total(value);
                }
                group.put(ColumnFamily.STATE, key, LedgerForm.value(count.total(LedgerForm.Total.NONE, sum)));
                group.whenDurable(() -> count.durable = sum);
                days.add(entry.getKey().day());
            }
        }
        while (days.size() > Ledger.MOST_DAYS) {
            group.deleteAll(ColumnFamily.STATE, LedgerForm.day(days.pollFirst()));
        }
        // On a day before yesterday nobody counts any more.
        int yesterday = today() - 1;
        counts.entrySet()
                .removeIf(entry ->
                        entry.getKey().day() < yesterday && entry.getValue().isDurable());
    }

    /** From {@code from} to before {@code to}, days since the epoch; with what is not durable yet. Inside a reading. */
    List<LedgerCount> list(Database database, int from, int to, int max) throws RocksDBException {
        SortedMap<LedgerForm.Key, LedgerForm.Total> found = new TreeMap<>(NEWEST_FIRST);
        try (Scan count = database.scanBackwards(ColumnFamily.STATE, LedgerForm.COUNT, LedgerForm.day(to))) {
            while (count.next() && LedgerForm.dayOf(count.key()) >= from) {
                LedgerForm.Key key = LedgerForm.key(count.key());
                if (found.size() >= max && found.lastKey().day() != key.day()) {
                    break;
                }
                found.put(key, LedgerForm.total(count.value()));
            }
        }
        counts.forEach((key, count) -> {
            if (key.day() >= from && key.day() < to) {
                // Only where base was not looked up does it count: nothing was written since the start then.
                LedgerForm.Total durable = found.getOrDefault(key, LedgerForm.Total.NONE);
                found.put(key, count.total(durable, count.sum()));
            }
        });
        return found.entrySet().stream()
                .limit(max)
                .map(entry -> entry.getKey().with(entry.getValue()))
                .toList();
    }
}
