package dev.holdfast.store;

import dev.holdfast.config.DeadLettersConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dead letters, by consumer and position; beside each a key by the time of its last failure, which tells the oldest. How many
 * each consumer has, and their bytes, are kept in the same write.
 */
final class RocksDeadLetters implements DeadLetters, CachedState {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDeadLetters.class);
    private static final long MAX_BYTES = 4L * 1024 * 1024;
    /** Taken out in one write. */
    private static final int PORTION = 1_000;

    private record Size(long count, long bytes) {
        static final Size NONE = new Size(0, 0);

        Size plus(long letters, long more) {
            return new Size(count + letters, bytes + more);
        }
    }

    private record Place(String consumer, long seq) {}

    /** What the key by time holds. */
    private record Entry(long at, long bytes) {
        static final Entry NONE = new Entry(Long.MIN_VALUE, 0);
    }

    private final StoreWriter writer;
    private final DiscardLog discards;
    private final StoreMeters meters;
    private final LedgerCounts ledger;
    private final DeadLettersConfig bounds;
    private final Clock clock;
    private final Map<String, Size> durable = new ConcurrentHashMap<>();
    /** By the group under way. Of the writer thread, like all below. */
    private final Map<String, Size> changed = new HashMap<>();

    private final Map<Place, Entry> touched = new HashMap<>();
    private final Map<String, Integer> evicted = new HashMap<>();
    /** Letters whose bytes are wrong, each told once. */
    private final Set<Place> broken = ConcurrentHashMap.newKeySet();

    RocksDeadLetters(
            StoreWriter writer, StoreMeters meters, LedgerCounts ledger, DeadLettersConfig bounds, Clock clock) {
        this.writer = writer;
        discards = new DiscardLog(writer);
        this.meters = meters;
        this.ledger = ledger;
        this.bounds = bounds;
        this.clock = clock;
    }

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
        discards.load(database);
    }

    @Override
    public CompletionStage<Void> save(DeadLetter letter) {
        byte[] value = DeadLetterForm.encode(letter);
        String consumer = letter.consumer();
        long seq = letter.push().seq();
        long at = letter.last().at();
        return writer.submit(
                group -> {
                    takeOut(group, consumer, seq);
                    group.put(ColumnFamily.DEAD_LETTERS, DeadLetterForm.key(consumer, seq), value);
                    group.put(
                            ColumnFamily.DEAD_LETTERS_BY_TIME,
                            DeadLetterForm.keyByTime(consumer, at, seq),
                            StateKey.numbers(value.length));
                    touched.put(new Place(consumer, seq), new Entry(at, value.length));
                    resize(group, consumer, size(consumer).plus(1, value.length));
                    evictBeyond(group, consumer);
                },
                value.length,
                false);
    }

    @Override
    public CompletionStage<Void> remove(String consumer, long seq) {
        return writer.submit(group -> takeOut(group, consumer, seq), 0, false);
    }

    @Override
    public CompletionStage<Void> discard(String consumer, long seq, String reason) {
        return writer.submit(group -> discard(group, consumer, seq, reason), 0, false);
    }

    private void discard(Group group, String consumer, long seq, String reason) throws RocksDBException {
        byte[] key = DeadLetterForm.key(consumer, seq);
        byte[] value = group.before().get(ColumnFamily.DEAD_LETTERS, key);
        if (!takeOut(group, consumer, seq)) {
            return;
        }
        DeadLetter letter = value == null ? null : decode(key, value);
        String event = letter == null ? "" : letter.push().envelope().event();
        discards.add(group, new Discard(consumer, seq, event, clock.millis(), reason));
    }

    @Override
    public List<Discard> discards(@Nullable Discard last, int max) {
        return discards.newest(last, max);
    }

    /** Whether there was one. */
    private boolean takeOut(Group group, String consumer, long seq) throws RocksDBException {
        Entry entry = entry(group, consumer, seq);
        if (entry.equals(Entry.NONE)) {
            return false;
        }
        group.delete(ColumnFamily.DEAD_LETTERS, DeadLetterForm.key(consumer, seq));
        group.delete(ColumnFamily.DEAD_LETTERS_BY_TIME, DeadLetterForm.keyByTime(consumer, entry.at(), seq));
        touched.put(new Place(consumer, seq), Entry.NONE);
        resize(group, consumer, size(consumer).plus(-1, -entry.bytes()));
        return true;
    }

    private Entry entry(Group group, String consumer, long seq) throws RocksDBException {
        Entry now = touched.get(new Place(consumer, seq));
        if (now != null) {
            return now;
        }
        byte[] value = group.before().get(ColumnFamily.DEAD_LETTERS, DeadLetterForm.key(consumer, seq));
        return value == null ? Entry.NONE : new Entry(DeadLetterForm.lastAt(value), value.length);
    }

    private Size size(String consumer) {
        Size now = changed.get(consumer);
        return now != null ? now : durable.getOrDefault(consumer, Size.NONE);
    }

    private void resize(Group group, String consumer, Size size) throws RocksDBException {
        changed.put(consumer, size);
        byte[] key = StateKey.of(StateKey.DEAD_LETTERS, consumer);
        group.put(ColumnFamily.STATE, key, StateKey.numbers(size.count(), size.bytes()));
    }

    /** Those of the group under way stay: the next one takes them. */
    private void evictBeyond(Group group, String consumer) throws RocksDBException {
        if (size(consumer).count() > bounds.maxCount()) {
            evict(group, consumer, Long.MAX_VALUE, size(consumer).count() - bounds.maxCount(), "count");
        }
    }

    @Override
    public void expire() {
        long before = clock.millis() - bounds.maxAge().toMillis();
        for (String consumer : Set.copyOf(durable.keySet())) {
            var unused = writer.submit(group -> evict(group, consumer, before, PORTION, "age"), 0, false);
        }
    }

    /** Takes out the oldest that failed before {@code before}, at most {@code most}. */
    private void evict(Group group, String consumer, long before, long most, String cause) throws RocksDBException {
        byte[] prefix = DeadLetterForm.keyByTime(consumer, 0, 0);
        int name = prefix.length - 2 * Long.BYTES;
        long left = most;
        try (RocksIterator oldest = group.before().scan(ColumnFamily.DEAD_LETTERS_BY_TIME)) {
            for (oldest.seek(prefix); left > 0 && isOf(oldest, prefix, name); oldest.next()) {
                ByteBuffer key = ByteBuffer.wrap(oldest.key());
                if (key.getLong(name) >= before) {
                    break;
                }
                long seq = key.getLong(name + Long.BYTES);
                if (entry(group, consumer, seq).at() == key.getLong(name) && takeOut(group, consumer, seq)) {
                    evicted.merge(consumer + '\0' + cause, 1, Integer::sum);
                    left--;
                }
            }
            oldest.status();
        }
    }

    private static boolean isOf(RocksIterator iterator, byte[] key, int prefix) {
        return iterator.isValid()
                && iterator.key().length == key.length
                && Arrays.equals(iterator.key(), 0, prefix, key, 0, prefix);
    }

    @Override
    public void committed(Database database) {
        durable.putAll(changed);
        evicted.forEach((label, count) -> {
            String consumer = label.substring(0, label.indexOf('\0'));
            String cause = label.substring(label.indexOf('\0') + 1);
            meters.evicted(consumer, cause).increment(count);
            ledger.add(LedgerCause.DEAD_LETTER_EVICTED + cause, "", consumer, count);
            LOG.atWarn()
                    .addKeyValue("consumer", consumer)
                    .log("{}: {} of its dead letters are given up, for their {}", consumer, count, cause);
        });
        discards.committed(database);
        abandoned();
    }

    @Override
    public void abandoned() {
        changed.clear();
        touched.clear();
        evicted.clear();
        discards.abandoned();
    }

    @Override
    public long count(String consumer) {
        writer.requireLoaded();
        return durable.getOrDefault(consumer, Size.NONE).count();
    }

    @Override
    public long bytes(String consumer) {
        writer.requireLoaded();
        return durable.getOrDefault(consumer, Size.NONE).bytes();
    }

    @Override
    public long oldestAt(String consumer) {
        byte[] prefix = DeadLetterForm.keyByTime(consumer, 0, 0);
        int name = prefix.length - 2 * Long.BYTES;
        return writer.reading(database -> {
            try (RocksIterator oldest = database.scan(ColumnFamily.DEAD_LETTERS_BY_TIME)) {
                oldest.seek(prefix);
                long at = isOf(oldest, prefix, name)
                        ? ByteBuffer.wrap(oldest.key()).getLong(name)
                        : NEVER;
                oldest.status();
                return at;
            }
        });
    }

    @Override
    public List<DeadLetter> list(String consumer, long seq, int max) {
        return writer.reading(database -> {
            List<DeadLetter> found = new ArrayList<>();
            long bytes = 0;
            try (RocksIterator letters = database.scan(ColumnFamily.DEAD_LETTERS)) {
                letters.seek(consumer.isEmpty() ? new byte[0] : DeadLetterForm.key(consumer, seq));
                while (letters.isValid() && found.size() < max && bytes < MAX_BYTES) {
                    DeadLetter letter = decode(letters.key(), letters.value());
                    if (letter != null) {
                        found.add(letter);
                        bytes += letter.push().body().length;
                    }
                    letters.next();
                }
                letters.status();
            }
            return found;
        });
    }

    @Override
    public Optional<DeadLetter> get(String consumer, long seq) {
        byte[] key = DeadLetterForm.key(consumer, seq);
        return writer.reading(database -> {
            byte[] value = database.get(ColumnFamily.DEAD_LETTERS, key);
            return value == null ? Optional.empty() : Optional.ofNullable(decode(key, value));
        });
    }

    @Override
    public List<DeadLetter> newest(String consumer, long seq, int max) {
        byte[] from = DeadLetterForm.key(consumer, seq);
        return writer.reading(database -> {
            List<DeadLetter> found = new ArrayList<>();
            long bytes = 0;
            try (RocksIterator letters = database.scan(ColumnFamily.DEAD_LETTERS)) {
                letters.seekForPrev(from);
                while (isOf(letters, from, from.length - Long.BYTES) && found.size() < max && bytes < MAX_BYTES) {
                    DeadLetter letter = decode(letters.key(), letters.value());
                    if (letter != null) {
                        found.add(letter);
                        bytes += letter.push().body().length;
                    }
                    letters.prev();
                }
                letters.status();
            }
            return found;
        });
    }

    @Override
    public List<Discard> discardsOf(long seq) {
        return discards.of(seq);
    }

    private @Nullable DeadLetter decode(byte[] key, byte[] value) {
        try {
            return DeadLetterForm.decode(key, value);
        } catch (RuntimeException e) {
            // Whatever is wrong with the bytes: one letter must not hide the others.
            String consumer = new String(key, 0, Math.max(0, key.length - Long.BYTES - 1), StandardCharsets.US_ASCII);
            long seq = key.length < Long.BYTES ? 0 : ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
            if (broken.add(new Place(consumer, seq))) {
                meters.corrupt.increment();
                LOG.error("the dead letter {} of {} can't be read back: {}", seq, consumer, e.getMessage());
            }
            return null;
        }
    }
}
