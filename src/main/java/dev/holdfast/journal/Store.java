package dev.holdfast.journal;

import dev.holdfast.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/**
 * One open RocksDB handle. The writer thread opens, writes and closes it; every other thread comes in through
 * {@link #reading}, which holds the closing off: a native handle used after its end would end the process.
 */
final class Store {
    private static final String IN_USE = "lock";

    private final StoreOptions options;
    private final RocksDB database;
    private final Map<Family, ColumnFamilyHandle> handles;
    private final Watermark acknowledged;
    private final Batch batch;
    private final ByteBuffer lookupKey = ByteBuffer.allocateDirect(Long.BYTES);
    private final ByteBuffer lookupValue = ByteBuffer.allocateDirect(Long.BYTES);
    private final ReentrantReadWriteLock closing = new ReentrantReadWriteLock();
    private boolean closed;

    /** Something that reads while the handle is open. */
    interface Reading<T> {
        T read(Store store) throws RocksDBException;
    }

    private Store(StoreOptions options, RocksDB database, List<ColumnFamilyHandle> families, Watermark acknowledged) {
        this.options = options;
        this.database = database;
        this.handles = Family.named(families);
        this.acknowledged = acknowledged;
        this.batch = new Batch(this);
    }

    /** @throws JournalException when the directory is in use, or what it holds can't be recovered */
    static Store open(Path directory) {
        NativeLibrary.load();
        boolean directWrites = canWriteDirectly(directory);
        LogDamage.mark(directory);
        Watermark acknowledged = Watermark.in(directory);
        // Native memory last: nothing that may fail lies between its making and its owner.
        StoreOptions options = new StoreOptions(directWrites);
        try {
            return open(directory, options, acknowledged);
        } catch (RocksDBException e) {
            closeUnused(options, acknowledged);
            throw cannotOpen(directory, e);
        } catch (RuntimeException | Error e) {
            closeUnused(options, acknowledged);
            throw e;
        }
    }

    private static Store open(Path directory, StoreOptions options, Watermark acknowledged) throws RocksDBException {
        List<ColumnFamilyHandle> families = new ArrayList<>();
        RocksDB database = RocksDB.open(options.database, directory.toString(), Family.layout(options), families);
        try {
            return new Store(options, database, families, acknowledged);
        } catch (RuntimeException | Error e) {
            families.forEach(ColumnFamilyHandle::close);
            database.close();
            throw e;
        }
    }

    private static void closeUnused(StoreOptions options, Watermark acknowledged) {
        options.close();
        acknowledged.close();
    }

    private static boolean canWriteDirectly(Path directory) {
        try {
            OwnerOnly.ownDirectories(directory);
            return DirectWrites.possibleIn(directory);
        } catch (IOException e) {
            throw new JournalException("can't write into the journal's directory " + directory + ": " + e, e);
        }
    }

    private static JournalException cannotOpen(Path directory, RocksDBException cause) {
        String message = String.valueOf(cause.getMessage());
        if (message.contains(IN_USE) && message.contains("LOCK")) {
            return new JournalException(
                    "the journal's directory " + directory + " is in use by another gateway", cause);
        }
        return new JournalException("can't open the journal in " + directory + ": " + message, cause);
    }

    ColumnFamilyHandle handle(Family family) {
        return Objects.requireNonNull(handles.get(family));
    }

    /** The writer's batch, for this handle only. */
    Batch batch() {
        return batch;
    }

    /** Writes the batch with one sync. By the writer thread. */
    void commit() throws RocksDBException {
        database.write(options.synced, batch.writes());
        if (batch.newest() > 0) {
            acknowledged.write(batch.newest());
        }
    }

    /** The newest position that was ever acknowledged, as far as known; 0 when nothing is. */
    long acknowledged() {
        return acknowledged.read();
    }

    /** The position that a digest points to; 0 when none. By the writer thread. */
    long find(long digest) throws RocksDBException {
        lookupKey.clear().putLong(digest).flip();
        int length = database.get(handle(Family.DIGESTS), options.lookup, lookupKey, lookupValue.clear());
        return length == RocksDB.NOT_FOUND ? 0 : lookupValue.getLong(0);
    }

    /** By any thread: runs {@code reading} while nobody can close the handle. */
    <T> T reading(Reading<T> reading) {
        closing.readLock().lock();
        try {
            if (closed) {
                throw new JournalException("the journal is closed");
            }
            return reading.read(this);
        } catch (RocksDBException e) {
            throw new JournalException("can't read the journal: " + e.getMessage(), e);
        } finally {
            closing.readLock().unlock();
        }
    }

    /** What a family has under a key; null: nothing. Inside {@link #reading}, or by the writer thread. */
    byte @Nullable [] get(Family family, byte[] key) throws RocksDBException {
        return database.get(handle(family), options.lookup, key);
    }

    /** Inside {@link #reading}, or by the writer thread; the caller closes it. */
    RocksIterator scan(Family family) {
        return database.newIterator(handle(family), options.scan);
    }

    /** Deletes the files that hold nothing but pushes below {@code seq}. Inside {@link #reading}. */
    void dropFilesBelow(long seq) throws RocksDBException {
        database.deleteFilesInRanges(handle(Family.PUSHES), List.of(key(0), key(seq)), false);
    }

    /** What {@code reading} tells of the store's size; 0 when closed. Any thread. */
    long sizeIfOpen(Reading<Long> reading) {
        closing.readLock().lock();
        try {
            return closed ? 0 : reading.read(this);
        } catch (RocksDBException e) {
            throw new JournalException("can't tell the journal's size: " + e.getMessage(), e);
        } finally {
            closing.readLock().unlock();
        }
    }

    /**
     * Bytes of the pushes at {@code from} and after, in files or in memory, roughly: a file counts as far as it holds
     * them. Inside {@link #sizeIfOpen}.
     */
    long sizeFrom(long from) {
        try (Slice start = new Slice(key(from));
                Slice end = new Slice(key(Long.MAX_VALUE))) {
            return database.getApproximateSizes(
                            handle(Family.PUSHES),
                            List.of(new Range(start, end)),
                            SizeApproximationFlag.INCLUDE_FILES,
                            SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
        }
    }

    /** Bytes of the files, and of the log as far as it is not in files yet. Inside {@link #sizeIfOpen}. */
    long size() throws RocksDBException {
        return database.getAggregatedLongProperty("rocksdb.total-sst-files-size")
                + database.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables");
    }

    static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static long number(byte[] key) {
        return ByteBuffer.wrap(key).getLong();
    }

    /** By the writer thread, once; waits for those who read. */
    void close() {
        closing.writeLock().lock();
        try {
            closed = true;
            batch.close();
            acknowledged.close();
            handles.values().forEach(ColumnFamilyHandle::close);
            database.close();
            options.close();
        } finally {
            closing.writeLock().unlock();
        }
    }
}
