package dev.holdfast.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.rocksdb.RocksDBException;

/** What the disk didn't give while the store was in use, until the store counts as damaged by it. Any thread. */
final class UnreadableBlocks {
    /** So long a disk may be away: what was there before will be there again. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** One that nobody has met for so long could be read meanwhile: who needs it tries at least once a minute. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** When it was met first, and last. Not by the clock: one that is put forward would have the store set aside. */
    private record Unreadable(long since, long last) {}

    private final LongSupplier nanoTime;
    /** RocksDB says which file and where in it: the same words mean the same block. */
    private final Map<String, Unreadable> blocks = new ConcurrentHashMap<>();

    UnreadableBlocks(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether this is one that could not be read for long, so that it never will. */
    boolean has(RocksDBException failure) {
        if (!StoreDirectory.isUnreadable(failure)) {
            return false;
        }
        long now = nanoTime.getAsLong();
        Unreadable block = blocks.merge(
                String.valueOf(failure.getMessage()),
                new Unreadable(now, now),
                (before, first) -> now - before.last() > FORGOTTEN_NANOS ? first : new Unreadable(before.since(), now));
        return now - block.since() >= PATIENCE_NANOS;
    }
}
