package dev.holdfast.store;

import dev.holdfast.config.DeadLettersConfig;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dead letters, by consumer and position; beside each a key by the time of its last failure, which tells the oldest.
 */
final class RocksDeadLetters implements DeadLetters, CachedState {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDeadLetters.class);
    /** Taken out in one write. */
    private static final int PORTION = 1_000;

    private static final int COUNT = 0;
    private static final int BYTES = 1;

    private record Eviction(String consumer, String cause) {}

    private final StoreAccess access;
    private final DeadLetterReader reader;
    private final DiscardLog discards;
    private final StoreMeters meters;
    private final LedgerCounts ledger;
    private final DeadLettersConfig bounds;
    private final Clock clock;
    /** How many each consumer has, and their bytes: kept in the write that changes them. */
    private final ConsumerNumbers sizes = new ConsumerNumbers(StateKey.DEAD_LETTERS, 2);
    /** Those of the group under way. Of the writer thread, like the next. */
    private final Map<Eviction, Integer> evicted = new HashMap<>();
    /**
     * By consumer, from which key by time on there may be something: what was before was deleted, and the database goes through what
     * is gone as slowly as through what is there.
     */
    private final Map<String, byte[]> oldest = new HashMap<>();

    RocksDeadLetters(
            StoreAccess access, StoreMeters meters, LedgerCounts ledger, DeadLettersConfig bounds, Clock clock) {
        this.access = access;
        reader = new DeadLetterReader(access, meters);
        discards = new DiscardLog(access);
        this.meters = meters;
        this.ledger = ledger;
        this.bounds = bounds;
        this.clock = clock;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        sizes.load(database);
        discards.load(database);
        evicted.clear();
        oldest.clear();
    }

    @Override
    public CompletionStage<Void> save(DeadLetter letter) {
        return save(letter, false);
    }

    @Override
    public CompletionStage<Void> replace(DeadLetter letter) {
        return save(letter, true);
    }

    private CompletionStage<Void> save(DeadLetter letter, boolean onlyAgain) {
        byte[] value = DeadLetterForm.encode(letter);
        return access.submit(
                group -> {
                    if (takeOut(group, letter.consumer(), letter.push().seq()) != null || !onlyAgain) {
                        add(group, letter, value);
                    }
                },
                value.length,
                false);
    }

    private void add(Group group, DeadLetter letter, byte[] value) throws RocksDBException {
        String consumer = letter.consumer();
        long seq = letter.push().seq();
        sizes.add(group, consumer, 1, value.length);
        evictSurplus(group, consumer);
        byte[] byTime = DeadLetterForm.keyByTime(consumer, letter.last().at(), seq);
        group.put(ColumnFamily.DEAD_LETTERS, DeadLetterForm.key(consumer, seq), value);
        group.put(ColumnFamily.DEAD_LETTERS_BY_TIME, byTime);
        // Lower than those that went: the clock was put back.
        oldest.computeIfPresent(consumer, (name, key) -> Arrays.compareUnsigned(byTime, key) < 0 ? byTime : key);
    }

    @Override
    public CompletionStage<Void> remove(String consumer, long seq) {
        return access.submit(group -> takeOut(group, consumer, seq));
    }

    @Override
    public CompletionStage<Boolean> discard(String consumer, long seq, String reason) {
        AtomicBoolean found = new AtomicBoolean();
        return access.submit(group -> found.set(discard(group, consumer, seq, reason)))
                .thenApply(durable -> found.get());
    }

    /** Whether there was one. */
    private boolean discard(Group group, String consumer, long seq, String reason) throws RocksDBException {
        String event = takeOut(group, consumer, seq);
        if (event != null) {
            discards.add(group, new Discard(consumer, seq, event, clock.millis(), reason));
        }
        return event != null;
    }

    @Override
    public List<Discard> discards(@Nullable Discard last, int max) {
        return discards.newest(last, max);
    }

    /** The event of what there was, empty when it can't be read; null: there was nothing. */
    private @Nullable String takeOut(Group group, String consumer, long seq) throws RocksDBException {
        byte[] key = DeadLetterForm.key(consumer, seq);
        byte[] value = group.get(ColumnFamily.DEAD_LETTERS, key);
        if (value == null) {
            return null;
        }
        group.delete(ColumnFamily.DEAD_LETTERS, key);
        sizes.add(group, consumer, -1, -value.length);
        DeadLetter letter = reader.decode(key, value);
        byte[] byTime = letter == null
                ? findByTime(group, consumer, seq)
                : DeadLetterForm.keyByTime(consumer, letter.last().at(), seq);
        group.delete(ColumnFamily.DEAD_LETTERS_BY_TIME, byTime);
        return letter == null ? "" : letter.push().envelope().event();
    }

    /** The key by time of one whose bytes don't tell it: all are looked through. No key: the prefix, under which nothing lies. */
    private byte[] findByTime(Group group, String consumer, long seq) throws RocksDBException {
        byte[] prefix = DeadLetterForm.prefix(consumer);
        return group.scan(ColumnFamily.DEAD_LETTERS_BY_TIME, prefix, oldest.getOrDefault(consumer, prefix))
                .first(kept -> DeadLetterForm.seq(kept.key()) == seq ? kept.key() : null, prefix);
    }

    @Override
    public void expire() {
        long before = clock.millis() - bounds.maxAge().toMillis();
        for (String consumer : sizes.consumers()) {
            var unused = access.submit(group -> {
                evict(group, consumer, before, PORTION, "age");
                evictSurplus(group, consumer);
            });
        }
    }

    /** Takes out the oldest of those that are too many; where the bound was lowered since, a portion of them. */
    private void evictSurplus(Group group, String consumer) throws RocksDBException {
        long surplus = sizes.current(consumer, COUNT) - bounds.maxCount();
        if (surplus > 0) {
            evict(group, consumer, Long.MAX_VALUE, Math.min(surplus, PORTION), "count");
        }
    }

    /** Takes out the oldest that failed before {@code before}, at most {@code most}. */
    private void evict(Group group, String consumer, long before, long most, String cause) throws RocksDBException {
        for (byte[] byTime : oldest(group, consumer, before, most)) {
            if (discard(group, consumer, DeadLetterForm.seq(byTime), Discard.BY_BOUND + cause)) {
                if (evicted.isEmpty()) {
                    group.whenDurable(this::tellEvicted);
                }
                evicted.merge(new Eviction(consumer, cause), 1, Integer::sum);
            }
            oldest.put(consumer, byTime);
        }
    }

    private List<byte[]> oldest(Group group, String consumer, long before, long most) throws RocksDBException {
        byte[] prefix = DeadLetterForm.prefix(consumer);
        byte[] from = oldest.getOrDefault(consumer, prefix);
        List<byte[]> keys = new ArrayList<>();
        try (Scan kept = group.scan(ColumnFamily.DEAD_LETTERS_BY_TIME, prefix, from)) {
            while (keys.size() < most && kept.next() && kept.number() < before) {
                keys.add(kept.key());
            }
        }
        return keys;
    }

    private void tellEvicted() {
        evicted.forEach(this::evicted);
        evicted.clear();
    }

    private void evicted(Eviction eviction, int count) {
        String consumer = eviction.consumer();
        meters.evicted(consumer, eviction.cause()).increment(count);
        ledger.add(LedgerCause.DEAD_LETTER_EVICTED + eviction.cause(), "", consumer, count);
        LOG.atWarn()
                .addKeyValue("consumer", consumer)
                .log("{}: {} of its dead letters given up, for their {}", consumer, count, eviction.cause());
    }

    @Override
    public SortedSet<String> consumers() {
        access.requireLoaded();
        SortedSet<String> names = new TreeSet<>(sizes.consumers());
        names.removeIf(consumer -> sizes.of(consumer, COUNT) == 0);
        return names;
    }

    @Override
    public long count(String consumer) {
        access.requireLoaded();
        return sizes.of(consumer, COUNT);
    }

    @Override
    public long bytes(String consumer) {
        access.requireLoaded();
        return sizes.of(consumer, BYTES);
    }

    @Override
    public long oldestAt(String consumer) {
        return reader.oldestAt(consumer);
    }

    @Override
    public List<DeadLetter> list(String consumer, long seq, int max) {
        return reader.list(consumer, seq, max);
    }

    @Override
    public List<Long> positions(String consumer, long seq) {
        return reader.positions(consumer, seq);
    }

    @Override
    public Optional<DeadLetter> get(String consumer, long seq) {
        return reader.get(consumer, seq);
    }

    @Override
    public List<DeadLetter> newest(String consumer, long seq, int max) {
        return reader.newest(consumer, seq, max);
    }

    @Override
    public List<Discard> discardsOf(long seq) {
        return discards.of(seq);
    }
}
