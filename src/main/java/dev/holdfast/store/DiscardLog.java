package dev.holdfast.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * What was given up when and why, of which the newest {@value #MOST} that people discarded are remembered, and as many of those that
 * bounds gave up: thousands of these at once take nobody's reason away. At, 8 bytes, seq, 8 bytes, and the consumer to a
 * {@link JsonForm}. Changed by the writer thread.
 */
final class DiscardLog {
    private static final int MOST = 10_000;
    /** Forgotten in one write: no more often than it is worth. */
    private static final int PORTION = 1_000;

    /** No time is negative, as that would be. */
    private static final byte[] BEHIND_ALL = {(byte) 0xff};

    private static final JsonForm<Discard> FORM = new JsonForm<>(Discard.class, "a discard");
    /** How the form of one ends that a bound gave up, which is known without reading all of it. */
    private static final List<byte[]> BY_BOUNDS = List.of(end("count"), end("age"));

    private static final int BY_PEOPLE = 0;
    private static final int BY_BOUND = 1;

    private final StoreAccess access;
    /** How many there are of either sort. Of the writer thread. */
    private final int[] counts = new int[2];
    /** The last one of either sort that was forgotten: before it the database goes through what is gone. Of the writer thread. */
    private final byte[][] forgotten = {{}, {}};

    DiscardLog(StoreAccess access) {
        this.access = access;
    }

    void load(Database database) throws RocksDBException {
        Arrays.fill(counts, 0);
        Arrays.fill(forgotten, new byte[0]);
        try (Scan discard = database.scan(ColumnFamily.DISCARDS)) {
            while (discard.next()) {
                counts[sort(discard.value())]++;
            }
        }
    }

    private static int sort(byte[] value) {
        return BY_BOUNDS.stream().anyMatch(end -> endsWith(value, end)) ? BY_BOUND : BY_PEOPLE;
    }

    private static byte[] end(String bound) {
        return ("\"reason\":\"" + Discard.BY_BOUND + bound + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    private static boolean endsWith(byte[] value, byte[] end) {
        int from = value.length - end.length;
        return from >= 0 && Arrays.equals(value, from, value.length, end, 0, end.length);
    }

    private static byte[] key(Discard discard) {
        return StateKey.of(StateKey.numbers(discard.at(), discard.seq()), discard.consumer());
    }

    void add(Group group, Discard discard) throws RocksDBException {
        byte[] value = FORM.encode(discard);
        byte[] key = key(discard);
        group.put(ColumnFamily.DISCARDS, key, value);
        int sort = sort(value);
        counts[sort]++;
        if (Arrays.compareUnsigned(key, forgotten[sort]) < 0) {
            // The clock was put back.
            forgotten[sort] = key;
        }
        if (counts[sort] > MOST + PORTION) {
            forgetOldest(group, sort);
        }
    }

    private void forgetOldest(Group group, int sort) throws RocksDBException {
        List<byte[]> keys = group.scan(ColumnFamily.DISCARDS, new byte[0], forgotten[sort])
                .list(counts[sort] - MOST, discard -> sort(discard.value()) == sort ? discard.key() : null);
        for (byte[] key : keys) {
            group.delete(ColumnFamily.DISCARDS, key);
            forgotten[sort] = key;
        }
        counts[sort] -= keys.size();
    }

    /** Those of one push, the newest first. Any thread. */
    List<Discard> of(long seq) {
        return newest(null, Integer.MAX_VALUE, key -> StateKey.number(key, 1) == seq);
    }

    /** The newest first, those that follow one; null: from the newest on. Any thread. */
    List<Discard> newest(@Nullable Discard last, int max) {
        return newest(last, max, key -> true);
    }

    private List<Discard> newest(@Nullable Discard last, int max, Predicate<byte[]> wanted) {
        byte[] from = last == null ? BEHIND_ALL : key(last);
        return access.reading(database -> database.scanBackwards(ColumnFamily.DISCARDS, new byte[0], from)
                .list(
                        max,
                        discard -> wanted.test(discard.key()) && !Arrays.equals(discard.key(), from)
                                ? FORM.decode(discard.value())
                                : null));
    }
}
