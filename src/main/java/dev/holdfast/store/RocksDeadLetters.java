package dev.holdfast.store;

import dev.holdfast.config.DeadLettersConfig;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
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

    private record Place(String consumer, long seq) {}

    private record Eviction(String consumer, String cause) {}

    /** What keys and log say of a letter. */
    private record Entry(long at, long bytes, String event) {
        static final Entry NONE = new Entry(Long.MIN_VALUE, 0, "");

        boolean isThere() {
            return !equals(NONE);
        }
    }

    private final StoreAccess access;
    private final DeadLetterReader reader;
    private final DiscardLog discards;
    private final StoreMeters meters;
    private final LedgerCounts ledger;
    private final DeadLettersConfig bounds;
    private final Clock clock;
    /** How many each consumer has, and their bytes: kept in the write that changes them. */
    private final ConsumerNumbers sizes = new ConsumerNumbers(StateKey.DEAD_LETTERS, 2);
    /** By the group under way. Of the writer thread, like the next. */
    private final Map<Place, Entry> touched = new HashMap<>();

    private final Map<Eviction, Integer> evicted = new HashMap<>();
    /** By consumer, among the keys by time. */
    private final Map<String, LowestKey> oldest = new HashMap<>();

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

    /** What it keeps in memory. */
    List<CachedState> states() {
        return List.of(sizes, discards, this);
    }

    @Override
    public void load(Database database) {
        // All of it is the others'.
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
        String consumer = letter.consumer();
        long seq = letter.push().seq();
        Entry entry = new Entry(
                letter.last().at(), value.length, letter.push().envelope().event());
        return access.submit(
                group -> {
                    if (!takeOut(group, consumer, seq).isThere() && onlyAgain) {
                        return;
                    }
                    group.put(ColumnFamily.DEAD_LETTERS, DeadLetterForm.key(consumer, seq), value);
                    byte[] keyByTime = DeadLetterForm.keyByTime(consumer, entry.at(), seq);
                    group.put(ColumnFamily.DEAD_LETTERS_BY_TIME, keyByTime, StateKey.numbers(value.length));
                    oldest(consumer).added(keyByTime);
                    touched.put(new Place(consumer, seq), entry);
                    long count = sizes.add(group, consumer, 1, value.length);
                    if (count > bounds.maxCount()) {
                        evict(group, consumer, Long.MAX_VALUE, count - bounds.maxCount(), "count");
                    }
                },
                value.length,
                false);
    }

    @Override
    public CompletionStage<Void> remove(String consumer, long seq) {
        return access.submit(group -> takeOut(group, consumer, seq), 0, false);
    }

    @Override
    public CompletionStage<Void> discard(String consumer, long seq, String reason) {
        return access.submit(group -> discard(group, consumer, seq, reason), 0, false);
    }

    private void discard(Group group, String consumer, long seq, String reason) throws RocksDBException {
        Entry entry = takeOut(group, consumer, seq);
        if (entry.isThere()) {
            discards.add(group, new Discard(consumer, seq, entry.event(), clock.millis(), reason));
        }
    }

    @Override
    public List<Discard> discards(@Nullable Discard last, int max) {
        return discards.newest(last, max);
    }

    /** What there was. */
    private Entry takeOut(Group group, String consumer, long seq) throws RocksDBException {
        Entry entry = entry(group, consumer, seq);
        if (entry.isThere()) {
            takeOut(group, consumer, seq, entry);
        }
        return entry;
    }

    private void takeOut(Group group, String consumer, long seq, Entry entry) throws RocksDBException {
        group.delete(ColumnFamily.DEAD_LETTERS, DeadLetterForm.key(consumer, seq));
        group.delete(ColumnFamily.DEAD_LETTERS_BY_TIME, DeadLetterForm.keyByTime(consumer, entry.at(), seq));
        touched.put(new Place(consumer, seq), Entry.NONE);
        sizes.add(group, consumer, -1, -entry.bytes());
    }

    private Entry entry(Group group, String consumer, long seq) throws RocksDBException {
        Entry now = touched.get(new Place(consumer, seq));
        if (now != null) {
            return now;
        }
        byte[] key = DeadLetterForm.key(consumer, seq);
        byte[] value = group.before().get(ColumnFamily.DEAD_LETTERS, key);
        if (value == null) {
            return Entry.NONE;
        }
        DeadLetter letter = reader.decode(key, value);
        String event = letter == null ? "" : letter.push().envelope().event();
        return new Entry(DeadLetterForm.lastAt(value), value.length, event);
    }

    @Override
    public void expire() {
        long before = clock.millis() - bounds.maxAge().toMillis();
        for (String consumer : sizes.consumers()) {
            var unused = access.submit(group -> evict(group, consumer, before, PORTION, "age"), 0, false);
        }
    }

    /** Takes out the oldest that failed before {@code before}, at most {@code most}; not those of the group under way. */
    private void evict(Group group, String consumer, long before, long most, String cause) throws RocksDBException {
        byte[] prefix = DeadLetterForm.byTime(consumer);
        long left = most;
        try (Scan kept = group.before()
                .scan(
                        ColumnFamily.DEAD_LETTERS_BY_TIME,
                        prefix,
                        oldest(consumer).from())) {
            while (left > 0 && kept.next()) {
                ByteBuffer key = ByteBuffer.wrap(kept.key()).position(prefix.length);
                long at = key.getLong();
                long seq = key.getLong();
                if (at >= before) {
                    break;
                }
                Entry entry = entry(group, consumer, seq);
                if (entry.at() == at) {
                    takeOut(group, consumer, seq, entry);
                    discards.add(group, Discard.byBound(consumer, seq, entry.event(), clock.millis(), cause));
                    evicted.merge(new Eviction(consumer, cause), 1, Integer::sum);
                    left--;
                }
                oldest(consumer).gone(kept.key());
            }
        }
    }

    private LowestKey oldest(String consumer) {
        return oldest.computeIfAbsent(consumer, name -> new LowestKey(DeadLetterForm.byTime(name)));
    }

    @Override
    public void committed(Database database) {
        evicted.forEach(this::evicted);
        oldest.values().forEach(LowestKey::committed);
        touched.clear();
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
    public void abandoned() {
        oldest.values().forEach(LowestKey::abandoned);
        touched.clear();
        evicted.clear();
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
