package dev.holdfast.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * The ledger's durable counts. All that is needed of them is read when the store is opened, where damage can still be set aside.
 * By the writer thread, but for {@link #list}.
 */
final class LedgerDays {
    private static final Comparator<LedgerCounts.Key> NEWEST_FIRST = Comparator.comparing(LedgerCounts.Key::day)
            .reversed()
            .thenComparing(LedgerCounts.Key::cause)
            .thenComparing(LedgerCounts.Key::endpoint)
            .thenComparing(LedgerCounts.Key::consumer)
            .thenComparing(LedgerCounts.Key::event);

    private final LedgerCounts counts;
    private final TreeSet<Integer> days = new TreeSet<>();
    /** What was durable before this process wrote anything, from {@link #knownFrom} on. */
    private final Map<LedgerCounts.Key, LedgerCounts.Total> bases = new HashMap<>();

    private final List<LedgerCounts.Count> written = new ArrayList<>();
    private int knownFrom;

    LedgerDays(LedgerCounts counts) {
        this.counts = counts;
    }

    /** Before anything was written. */
    void load(Database database) throws RocksDBException {
        days.clear();
        bases.clear();
        knownFrom = counts.today() - 1;
        try (RocksIterator count = database.iterator(ColumnFamily.STATE)) {
            for (count.seek(LedgerForm.COUNT); isCount(count); count.seek(LedgerForm.day(days.last() + 1))) {
                days.add(LedgerForm.dayOf(count.key()));
            }
            for (count.seek(LedgerForm.day(knownFrom)); isCount(count); count.next()) {
                bases.put(LedgerForm.key(count.key()), LedgerForm.total(count.value()));
            }
            count.status();
        }
    }

    private static boolean isCount(RocksIterator iterator) {
        return iterator.isValid() && BlockedPushForm.hasPrefix(iterator.key(), LedgerForm.COUNT);
    }

    void addTo(Group group) throws RocksDBException {
        for (Map.Entry<LedgerCounts.Key, LedgerCounts.Count> entry :
                counts.all().entrySet()) {
            LedgerCounts.Key key = entry.getKey();
            LedgerCounts.Count count = entry.getValue();
            long sum = count.sum();
            if (sum != count.durable) {
                if (count.base == null) {
                    count.base = base(group, key);
                }
                group.put(
                        ColumnFamily.STATE,
                        LedgerForm.key(key),
                        LedgerForm.value(count.total(LedgerCounts.Total.NONE, sum)));
                count.written = sum;
                written.add(count);
                days.add(key.day());
            }
        }
        while (days.size() > Ledger.MOST_DAYS) {
            group.deleteAll(ColumnFamily.STATE, LedgerForm.day(days.pollFirst()));
        }
    }

    private LedgerCounts.Total base(Group group, LedgerCounts.Key key) throws RocksDBException {
        if (key.day() >= knownFrom) {
            return bases.getOrDefault(key, LedgerCounts.Total.NONE);
        }
        byte[] value = group.before().get(ColumnFamily.STATE, LedgerForm.key(key));
        return value == null ? LedgerCounts.Total.NONE : LedgerForm.total(value);
    }

    void committed() {
        written.forEach(count -> count.durable = count.written);
        written.clear();
        int yesterday = counts.today() - 1;
        if (yesterday > knownFrom) {
            counts.forgetBefore(yesterday);
            bases.keySet().removeIf(key -> key.day() < yesterday);
            knownFrom = yesterday;
        }
    }

    void abandoned() {
        written.clear();
    }

    /** From {@code from} to before {@code to}, days since the epoch; with what is not durable yet. Inside a reading. */
    List<LedgerCount> list(Database database, int from, int to, int max) throws RocksDBException {
        SortedMap<LedgerCounts.Key, LedgerCounts.Total> found = new TreeMap<>(NEWEST_FIRST);
        try (Scan count = database.scanBackwards(ColumnFamily.STATE, LedgerForm.COUNT, LedgerForm.day(to))) {
            while (count.next() && LedgerForm.dayOf(count.key()) >= from) {
                LedgerCounts.Key key = LedgerForm.key(count.key());
                if (found.size() >= max && found.lastKey().day() != key.day()) {
                    break;
                }
                found.put(key, LedgerForm.total(count.value()));
            }
        }
        counts.all().forEach((key, count) -> {
            if (key.day() >= from && key.day() < to) {
                // Where nothing was written of it before now, what was read is what had been there.
                LedgerCounts.Total durable = found.getOrDefault(key, LedgerCounts.Total.NONE);
                found.put(key, count.total(durable, count.sum()));
            }
        });
        return found.entrySet().stream()
                .limit(max)
                .map(entry -> entry.getKey().with(entry.getValue()))
                .toList();
    }
}
