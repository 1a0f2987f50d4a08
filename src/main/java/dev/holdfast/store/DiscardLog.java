package dev.holdfast.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was given up when and why, of which the newest {@value #MOST} that people discarded are remembered, and as many of those that
 * bounds gave up: thousands of these at once take nobody's reason away. At, 8 bytes, seq, 8 bytes, and the consumer to a
 * {@link JsonForm}. Changed by the writer thread.
 */
final class DiscardLog implements CachedState {
    private static final Logger LOG = LoggerFactory.getLogger(DiscardLog.class);
    private static final int MOST = 10_000;
    /** Forgotten in one write: no more often than it is worth. */
    private static final int PORTION = 1_000;

    /** No time is negative, as that would be. */
    private static final byte[] BEHIND_ALL = {(byte) 0xff};

    private static final JsonForm<Discard> FORM = new JsonForm<>(Discard.class, "a discard", true);
    /** How the form of one ends that a bound gave up, which is known without reading all of it. */
    private static final List<byte[]> BY_BOUNDS = List.of(end("count"), end("age"));

    /** How many there are of one sort. */
    private static final class Sort {
        private int count;
        private int durable;
        private final LowestKey oldest = new LowestKey(new byte[0]);
        /** By the group under way; who looks in the database still finds what that forgets. */
        private boolean hasForgotten;

        private void begin() {
            count = durable;
            oldest.abandoned();
            hasForgotten = false;
        }

        private void committed() {
            durable = count;
            oldest.committed();
            hasForgotten = false;
        }
    }

    private final StoreAccess access;
    private final Sort byPeople = new Sort();
    private final Sort byBounds = new Sort();

    DiscardLog(StoreAccess access) {
        this.access = access;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        byPeople.durable = 0;
        byBounds.durable = 0;
        try (Scan discard = database.scan(ColumnFamily.DISCARDS)) {
            while (discard.next()) {
                sort(discard.value()).durable++;
            }
        }
        byPeople.begin();
        byBounds.begin();
    }

    private Sort sort(byte[] value) {
        return BY_BOUNDS.stream().anyMatch(end -> endsWith(value, end)) ? byBounds : byPeople;
    }

    private static byte[] end(String bound) {
        return ("\"reason\":\"" + Discard.BY_BOUND + bound + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    private static boolean endsWith(byte[] value, byte[] end) {
        int from = value.length - end.length;
        return from >= 0 && Arrays.equals(value, from, value.length, end, 0, end.length);
    }

    private static byte[] key(Discard discard) {
        byte[] name = discard.consumer().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Long.BYTES + name.length)
                .putLong(discard.at())
                .putLong(discard.seq())
                .put(name)
                .array();
    }

    void add(Group group, Discard discard) throws RocksDBException {
        byte[] key = key(discard);
        byte[] value = FORM.encode(discard);
        group.put(ColumnFamily.DISCARDS, key, value);
        Sort sort = sort(value);
        sort.oldest.added(key);
        sort.count++;
        if (sort.count > MOST + PORTION && !sort.hasForgotten) {
            forgetOldest(group, sort);
        }
    }

    private void forgetOldest(Group group, Sort sort) throws RocksDBException {
        sort.hasForgotten = true;
        try (Scan oldest = group.before().scan(ColumnFamily.DISCARDS, new byte[0], sort.oldest.from())) {
            while (sort.count > MOST && oldest.next()) {
                if (sort(oldest.value()) == sort) {
                    group.delete(ColumnFamily.DISCARDS, oldest.key());
                    sort.oldest.gone(oldest.key());
                    sort.count--;
                }
            }
        }
    }

    /** Those of one push, the newest first. Any thread. */
    List<Discard> of(long seq) {
        return newest(null, Integer.MAX_VALUE, key -> ByteBuffer.wrap(key).getLong(Long.BYTES) == seq);
    }

    /** The newest first, those that follow one; null: from the newest on. Any thread. */
    List<Discard> newest(@Nullable Discard last, int max) {
        return newest(last, max, key -> true);
    }

    private List<Discard> newest(@Nullable Discard last, int max, Predicate<byte[]> wanted) {
        byte[] from = last == null ? BEHIND_ALL : key(last);
        return access.reading(database -> {
            List<Discard> found = new ArrayList<>();
            try (Scan newest = database.scanBackwards(ColumnFamily.DISCARDS, new byte[0], from)) {
                while (found.size() < max && newest.next()) {
                    if (!wanted.test(newest.key()) || Arrays.equals(newest.key(), from)) {
                        continue;
                    }
                    try {
                        found.add(FORM.decode(newest.value()));
                    } catch (StoreException e) {
                        LOG.warn("a discard in the store is passed over: {}", e.getMessage());
                    }
                }
            }
            return found;
        });
    }

    @Override
    public void committed(Database database) {
        byPeople.committed();
        byBounds.committed();
    }

    @Override
    public void abandoned() {
        byPeople.begin();
        byBounds.begin();
    }
}
