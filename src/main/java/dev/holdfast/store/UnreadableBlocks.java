package dev.holdfast.store;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.rocksdb.RocksDBException;

/** What the disk didn't give while the store was in use, until the store counts as damaged by it. Any thread. */
final class UnreadableBlocks {
    /** So long a disk may be away: what was there before will be there again. */
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);
    /** One that nobody has met for so long could be read meanwhile: who needs it tries at least once a minute. */
    private static final long FORGOTTEN_MILLIS = TimeUnit.MINUTES.toMillis(5);

    /** When it was met first, and last. */
    private record Unreadable(long since, long last) {}

    private final Clock clock;
    /** RocksDB says which file and where in it: the same words mean the same block. */
    private final Map<String, Unreadable> blocks = new ConcurrentHashMap<>();

    UnreadableBlocks(Clock clock) {
        this.clock = clock;
    }

    /** Whether this is one that could not be read for long, so that it never will. */
    boolean has(RocksDBException failure) {
        if (!StoreDirectory.isUnreadable(failure)) {
            return false;
        }
        long now = clock.millis();
        Unreadable block = blocks.merge(
                String.valueOf(failure.getMessage()),
                new Unreadable(now, now),
                (before, first) ->
                        now - before.last() > FORGOTTEN_MILLIS ? first : new Unreadable(before.since(), now));
        return now - block.since() >= PATIENCE_MILLIS;
    }
}
