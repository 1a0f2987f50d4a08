package dev.holdfast.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Goes through what a family has under the keys that begin with a prefix, forwards or backwards. Made by {@link Database}, and
 * used where its values may be read; stands before the first one at the beginning.
 */
final class Scan implements AutoCloseable {
    private final RocksIterator iterator;
    private final byte[] prefix;
    private final boolean backwards;
    private boolean begun;
    private byte[] key = {};

    private Scan(RocksIterator iterator, byte[] prefix, boolean backwards) {
        this.iterator = iterator;
        this.prefix = prefix;
        this.backwards = backwards;
    }

    /** Those from a key on. {@code iterator} is closed with it. */
    static Scan from(RocksIterator iterator, byte[] prefix, byte[] from) {
        iterator.seek(from);
        return new Scan(iterator, prefix, false);
    }

    /** Those from a key on downwards. */
    static Scan downFrom(RocksIterator iterator, byte[] prefix, byte[] from) {
        iterator.seekForPrev(from);
        return new Scan(iterator, prefix, true);
    }

    /**
     * Goes on by one; not again after it said that there is no more.
     *
     * @throws RocksDBException when what comes next can't be read
     */
    boolean next() throws RocksDBException {
        if (begun && backwards) {
            iterator.prev();
        } else if (begun) {
            iterator.next();
        }
        begun = true;
        if (!iterator.isValid()) {
            iterator.status();
            return false;
        }
        key = iterator.key();
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    /** Stands before the first one from a key on, which lies further on. */
    void skipTo(byte[] from) {
        if (backwards) {
            iterator.seekForPrev(from);
        } else {
            iterator.seek(from);
        }
        begun = false;
    }

    /** What is made of those that are left, at most {@code max}, without those of which nothing is; closes it. */
    <T> List<T> list(int max, Function<Scan, @Nullable T> taking) throws RocksDBException {
        try (this) {
            List<T> found = new ArrayList<>();
            while (found.size() < max && next()) {
                T one = taking.apply(this);
                if (one != null) {
                    found.add(one);
                }
            }
            return found;
        }
    }

    /** What is made of the next one, if there is one; closes it. */
    <T> T first(Function<Scan, @Nullable T> taking, T none) throws RocksDBException {
        List<T> found = list(1, taking);
        return found.isEmpty() ? none : found.get(0);
    }

    /** The number behind the prefix in the key. */
    long number() {
        return StateKey.number(prefix, key);
    }

    /** The key that it has come to. */
    byte[] key() {
        return key;
    }

    byte[] value() {
        return iterator.value();
    }

    @Override
    public void close() {
        iterator.close();
    }
}
