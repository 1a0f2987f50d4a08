package dev.holdfast.store;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The ledger's counts of this process, in memory: of today and yesterday, and of what is not durable yet. Any thread. */
final class LedgerCounts {
    /** @param day since the epoch, in UTC */
    record Key(int day, String cause, String endpoint, String consumer) {
        LedgerCount with(long count) {
            return new LedgerCount(LocalDate.ofEpochDay(day), cause, endpoint, consumer, count);
        }
    }

    /** Of one key. What is durable is {@link #base} and a part of {@link #sum}: a write says it whole, so it may be repeated. */
    static final class Count {
        static final long UNKNOWN = -1;

        private final LongAdder added = new LongAdder();
        /** What the store had when this process wrote nothing yet. Of the writer thread, like the two below. */
        volatile long base = UNKNOWN;

        volatile long durable;
        long written;

        long sum() {
            return added.sum();
        }

        boolean isDurable() {
            return durable == sum();
        }
    }

    private final Map<Key, Count> counts = new ConcurrentHashMap<>();
    private final Clock clock;

    LedgerCounts(Clock clock) {
        this.clock = clock;
    }

    int today() {
        return Math.toIntExact(
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toEpochDay());
    }

    void add(String cause, String endpoint, String consumer, long times) {
        Key key = new Key(today(), cause, endpoint, consumer);
        Count count = counts.get(key);
        if (count == null) {
            count = counts.computeIfAbsent(key, fresh -> new Count());
        }
        count.added.add(times);
    }

    Map<Key, Count> all() {
        return counts;
    }

    boolean isDurable() {
        return counts.values().stream().allMatch(Count::isDurable);
    }

    /** Forgets durable ones from before a day on which nobody counts any more. */
    void forgetBefore(int day) {
        counts.entrySet()
                .removeIf(
                        entry -> entry.getKey().day() < day && entry.getValue().isDurable());
    }
}
