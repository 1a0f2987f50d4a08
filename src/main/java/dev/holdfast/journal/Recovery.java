package dev.holdfast.journal;

import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/** Opens the store and looks at what came back before anyone builds on it. */
final class Recovery {
    /** Newest pushes that are read through after each opening, and for how long at most. */
    private static final int CHECKED_PUSHES = 10_000;

    private static final long CHECK_NANOS = 300_000_000;

    private Recovery() {}

    /** @throws JournalException when the store can't be opened; what is broken inside it is reported and passed over */
    static Store open(Path directory, Positions positions, PushReader reader) {
        Store store = Store.open(directory);
        try {
            SavedState saved = new SavedState(store);
            long first = saved.first();
            saved.cursors().forEach(positions::cursor);
            long last = Math.max(first - 1, newest(store, saved, positions));
            positions.first(first);
            positions.last(last);
            check(store, Math.max(first, last - CHECKED_PUSHES + 1), last, reader);
            return store;
        } catch (RocksDBException | RuntimeException | Error e) {
            store.close();
            throw new JournalException("can't recover the journal in " + directory + ": " + e.getMessage(), e);
        }
    }

    /**
     * No position is given twice: not even one whose push is lost, or consumers that have passed it would pass over the
     * new push as well.
     */
    private static long newest(Store store, SavedState saved, Positions positions) throws RocksDBException {
        long passed = positions.cursors().values().stream()
                .mapToLong(Progress::handled)
                .max()
                .orElse(0);
        return Math.max(saved.newest(), Math.max(store.acknowledged(), passed));
    }

    /** Positions without a gap, checksums right; reading is what finds and reports it. */
    private static void check(Store store, long from, long to, PushReader reader) throws RocksDBException {
        long deadline = System.nanoTime() + CHECK_NANOS;
        reader.scan(store, from, to, push -> deadline - System.nanoTime() > 0);
    }
}
