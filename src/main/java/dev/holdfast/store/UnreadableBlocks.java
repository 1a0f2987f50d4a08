package dev.holdfast.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.rocksdb.RocksDBException;

/** What the disk didn't give while the store was in use, until the store counts as damaged by it. Any thread. */
final class UnreadableBlocks {
    /**
     * So long what can't be read is tried again. Short: no push is received meanwhile, where it is at the first opening. A cable
     * that is put back has the time, and the system has tried a bad block again and again before it says so.
     */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** When each was met first. RocksDB says which file and where in it: the same words mean the same block. */
    private final Map<String, Long> since = new ConcurrentHashMap<>();

    /** Whether this is one that could not be read for long, so that it never will. */
    boolean has(RocksDBException failure) {
        if (!StoreDirectory.isUnreadable(failure)) {
            return false;
        }
        long now = System.nanoTime();
        Long first = since.putIfAbsent(String.valueOf(failure.getMessage()), now);
        return first != null && now - first >= PATIENCE_NANOS;
    }
}
