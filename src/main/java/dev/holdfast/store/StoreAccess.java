package dev.holdfast.store;

import dev.holdfast.disk.WriteQueue;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The store as its kinds use it: they read the database that is open at the moment, if one is, and hand in changes, which wait
 * for the {@link StoreWriter}. Any thread; what opens and closes it is the writer's own.
 */
final class StoreAccess {
    /**
     * A change that waits.
     *
     * @param bytes what it brings into the group, roughly
     * @param isUrgent whether it wakes the writer at once
     */
    record PendingChange(Group.Change change, long bytes, boolean isUrgent, CompletableFuture<Void> done)
            implements WriteQueue.Request {}

    /** A disk may be away for so long before what it doesn't give counts as damaged. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** A block that nobody has failed to read for so long could be read meanwhile: who needs one tries at least once a minute. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** When it was met first, and last. Not by the clock: one that is put forward would have the store set aside. */
    private record Unreadable(long since, long last) {}

    private final WriteQueue<PendingChange> queue;
    private final LongSupplier nanoTime;
    /**
     * What the disk didn't give while it was in use. RocksDB says which file and where in it: the same words mean the same block.
     */
    private final Map<String, Unreadable> unreadable = new ConcurrentHashMap<>();

    private volatile @Nullable Database database;
    private volatile boolean loaded;
    private volatile String closedBecause = "it was not opened yet";
    private volatile String notice = "";

    StoreAccess(WriteQueue<PendingChange> queue, LongSupplier nanoTime) {
        this.queue = queue;
        this.nanoTime = nanoTime;
    }

    /** All of it is in memory that is to be. */
    void opened(Database opened) {
        database = opened;
        loaded = true;
        closedBecause = "";
    }

    /** @param why there is no database open, in words that begin with it */
    void closed(String why) {
        database = null;
        closedBecause = why;
    }

    /** What was found damaged, which is told of as long as the process lives. */
    void note(String what) {
        notice = what;
    }

    /** The one that is open; null: none is. */
    @Nullable
    Database database() {
        return database;
    }

    /** Whether it takes what it is told. */
    boolean isOpen() {
        return database != null;
    }

    /** Whether it ever was open. */
    boolean isLoaded() {
        return loaded;
    }

    /** Empty: it is open. */
    String closedBecause() {
        return closedBecause;
    }

    /** What was noted last; empty: nothing. */
    String notice() {
        return notice;
    }

    /** Bytes on disk, as far as known. */
    long size() {
        Database open = database;
        return open == null ? 0 : open.size();
    }

    /** @throws StoreException when the store was never opened, so that nothing is known */
    void requireLoaded() {
        if (!loaded) {
            throw notOpen();
        }
    }

    /** Reads while nobody closes the handle. */
    <T> T reading(Database.Reading<T> reading) {
        Database open = database;
        if (open == null) {
            throw notOpen();
        }
        try {
            return open.reading(reading);
        } catch (RocksDBException e) {
            throw new StoreException("can't read the store: " + e.getMessage(), e);
        }
    }

    /** The same with what must be whole or not be used at all. */
    <T> T readingWhole(Database.Reading<T> reading) {
        try {
            return reading(reading);
        } catch (StoreException e) {
            if (e.getCause() instanceof RocksDBException damage && isDamage(damage)) {
                submit(
                        group -> {
                            throw damage;
                        },
                        0,
                        true);
            }
            throw e;
        }
    }

    /** Whether what could not be read or written while in use won't be by itself. */
    boolean isDamage(RocksDBException failure) {
        return StoreDirectory.isDamage(failure) || (StoreDirectory.isUnreadable(failure) && isLong(failure));
    }

    /** Whether a block could not be read for so long that it never will. */
    private boolean isLong(RocksDBException failure) {
        long now = nanoTime.getAsLong();
        Unreadable block = unreadable.merge(
                String.valueOf(failure.getMessage()),
                new Unreadable(now, now),
                (before, first) -> now - before.last() > FORGOTTEN_NANOS ? first : new Unreadable(before.since(), now));
        return now - block.since() >= TIMEOUT_NANOS;
    }

    /** Makes a change durable that is small and not urgent. Never blocks. */
    CompletableFuture<Void> submit(Group.Change change) {
        return submit(change, 0, false);
    }

    /** Makes a change durable; see {@link PendingChange}. Never blocks. */
    CompletableFuture<Void> submit(Group.Change change, long bytes, boolean urgent) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!queue.offer(new PendingChange(change, bytes, urgent, done))) {
            done.completeExceptionally(
                    queue.isClosed()
                            ? new StoreException("the store is closed")
                            : new StoreException("too much waits"));
        }
        return done;
    }

    StoreException notOpen() {
        return new StoreException("the store is not open: " + closedBecause);
    }
}
