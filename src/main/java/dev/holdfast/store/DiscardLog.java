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
 * What was discarded when and why, of which the newest {@value #MOST} are remembered: at, 8 bytes, seq, 8 bytes, and the consumer
 * to a {@link JsonForm}. Changed by the writer thread.
 */
final class DiscardLog implements CachedState {
    private static final Logger LOG = LoggerFactory.getLogger(DiscardLog.class);
    private static final int MOST = 10_000;
    /** Forgotten in one write: no more often than it is worth. */
    private static final int PORTION = 1_000;

    /** No time is negative, as that would be. */
    private static final byte[] BEHIND_ALL = {(byte) 0xff};

    private static final JsonForm<Discard> FORM = new JsonForm<>(Discard.class, "a discard", true);

    private final StoreAccess access;
    private int count;
    private int durable;

    DiscardLog(StoreAccess access) {
        this.access = access;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        durable = 0;
        try (Scan discard = database.scan(ColumnFamily.DISCARDS)) {
            while (discard.next()) {
                durable++;
            }
        }
        count = durable;
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
        group.put(ColumnFamily.DISCARDS, key(discard), FORM.encode(discard));
        count++;
        if (count > MOST + PORTION) {
            forgetOldest(group);
        }
    }

    private void forgetOldest(Group group) throws RocksDBException {
        try (Scan oldest = group.before().scan(ColumnFamily.DISCARDS)) {
            while (count > MOST && oldest.next()) {
                group.delete(ColumnFamily.DISCARDS, oldest.key());
                count--;
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
        durable = count;
    }

    @Override
    public void abandoned() {
        count = durable;
    }
}
