package dev.holdfast.store;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The ledger's counts of this process, in memory: of today and yesterday, and of what is not durable yet. Any thread. */
final class LedgerCounts {
    /** @param day since the epoch, in UTC */
    record Key(int day, String cause, String endpoint, String consumer, String event) {
        LedgerCount with(Total total) {
            return new LedgerCount(
                    LocalDate.ofEpochDay(day),
                    cause,
                    endpoint,
                    consumer,
                    event,
                    total.count(),
                    total.firstSeq(),
                    total.lastSeq());
        }

        /** In words, as its hash: to link what Java makes for a record takes 40 ms, for which the first pushes would wait. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && key.day == day
                    && key.cause.equals(cause)
                    && key.endpoint.equals(endpoint)
                    && key.consumer.equals(consumer)
                    && key.event.equals(event);
        }

        @Override
        public int hashCode() {
            return Objects.hash(day, cause, endpoint, consumer, event);
        }
    }

    /** @param firstSeq 0, as the last one: they have no positions */
    record Total(long count, long firstSeq, long lastSeq) {
        static final Total NONE = new Total(0, 0, 0);

        Total plus(Total more) {
            boolean widens = more.firstSeq != 0 && (firstSeq == 0 || more.firstSeq < firstSeq);
            return new Total(count + more.count, widens ? more.firstSeq : firstSeq, Math.max(lastSeq, more.lastSeq));
        }
    }

    /** Of one key. What is durable is {@link #base} and a part of {@link #sum}: a write says it whole, so it may be repeated. */
    static final class Count {
        private final LongAdder added = new LongAdder();
        private volatile Total range = Total.NONE;
        /** What the store had when this process wrote nothing yet; null: not looked up. Of the writer thread, like the two below. */
        volatile @Nullable Total base;

        volatile long durable;
        long written;

        long sum() {
            return added.sum();
        }

        /** Their positions are among those of the sum before that is. */
        synchronized void widen(long firstSeq, long lastSeq) {
            range = range.plus(new Total(0, firstSeq, lastSeq));
        }

        /** With what the store had, or, where it was not looked up, with what it is found to have. */
        Total total(Total found, long sum) {
            Total before = base;
            return (before == null ? found : before).plus(new Total(sum, range.firstSeq(), range.lastSeq()));
        }

        boolean isDurable() {
            return durable == sum();
        }
    }

    private final Map<Key, Count> counts = new ConcurrentHashMap<>();
    private final Clock clock;
    private final StoreMeters meters;

    LedgerCounts(Clock clock, StoreMeters meters) {
        this.clock = clock;
        this.meters = meters;
    }

    int today() {
        return Math.toIntExact(
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toEpochDay());
    }

    void add(String cause, String endpoint, String consumer, long times) {
        count(new Key(today(), cause, endpoint, consumer, "")).added.add(times);
        meters.ledger(cause, times);
    }

    void add(String cause, String consumer, String event, Total pushes) {
        Count count = count(new Key(today(), cause, "", consumer, event));
        count.widen(pushes.firstSeq(), pushes.lastSeq());
        count.added.add(pushes.count());
        meters.ledger(cause, pushes.count());
    }

    private Count count(Key key) {
        Count count = counts.get(key);
        return count == null ? counts.computeIfAbsent(key, fresh -> new Count()) : count;
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
