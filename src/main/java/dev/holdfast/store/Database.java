package dev.holdfast.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;

/**
 * One open RocksDB handle. One thread opens, writes and closes it; every other thread comes in through {@link #reading}, which
 * holds the closing off: a native handle used after its end would end the process.
 */
final class Database {
    private final DatabaseOptions options;
    private final RocksDB database;
    private final Map<ColumnFamily, ColumnFamilyHandle> handles;
    private final ReentrantReadWriteLock closing = new ReentrantReadWriteLock();
    private boolean closed;

    /** Something that reads while the handle is open. */
    interface Reading<T> {
        T read(Database database) throws RocksDBException;
    }

    private Database(DatabaseOptions options, RocksDB database, List<ColumnFamilyHandle> handles) {
        this.options = options;
        this.database = database;
        this.handles = ColumnFamily.named(handles);
    }

    /** Opens what is in a directory, or makes it. */
    static Database open(Path directory, Function<DatabaseOptions, List<ColumnFamilyDescriptor>> layout)
            throws RocksDBException {
        return open(directory, layout, false);
    }

    /**
     * Opens what is in a directory to read it only: nothing of it is changed, its log included.
     *
     * @param layout the first families, or all
     */
    static Database openReadOnly(Path directory, Function<DatabaseOptions, List<ColumnFamilyDescriptor>> layout)
            throws RocksDBException {
        return open(directory, layout, true);
    }

    private static Database open(
            Path directory, Function<DatabaseOptions, List<ColumnFamilyDescriptor>> layout, boolean readOnly)
            throws RocksDBException {
        NativeLibrary.load(directory);
        // Native memory last: nothing that may fail lies between its making and its owner.
        DatabaseOptions options = new DatabaseOptions();
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try {
            List<ColumnFamilyDescriptor> families = layout.apply(options);
            RocksDB database = readOnly
                    ? RocksDB.openReadOnly(options.database, directory.toString(), families, handles)
                    : RocksDB.open(options.database, directory.toString(), families, handles);
            return new Database(options, database, handles);
        } catch (RocksDBException | RuntimeException | Error e) {
            options.close();
            throw e;
        }
    }

    ColumnFamilyHandle family(ColumnFamily family) {
        return Objects.requireNonNull(handles.get(family));
    }

    /** Writes a batch with one sync. By the writer thread. */
    void writeSynced(WriteBatch batch) throws RocksDBException {
        database.write(options.synced, batch);
    }

    /** Writes a batch that may be lost in a power cut. */
    void write(WriteBatch batch) throws RocksDBException {
        database.write(options.unsynced, batch);
    }

    /**
     * By any thread: runs {@code reading} while nobody can close the handle.
     *
     * @throws StoreException when it is closed
     */
    <T> T reading(Reading<T> reading) throws RocksDBException {
        closing.readLock().lock();
        try {
            if (closed) {
                throw new StoreException("the store is not open");
            }
            return reading.read(this);
        } finally {
            closing.readLock().unlock();
        }
    }

    /** What a family has under a key; null: nothing. Inside {@link #reading}, or by the writer thread. */
    byte @Nullable [] get(ColumnFamily family, byte[] key) throws RocksDBException {
        return database.get(family(family), options.lookup, key);
    }

    /** The same with what a batch makes of it. */
    byte @Nullable [] get(WriteBatchWithIndex batch, ColumnFamily family, byte[] key) throws RocksDBException {
        return batch.getFromBatchAndDB(database, family(family), options.lookup, key);
    }

    /** For a {@link Scan}. Inside {@link #reading}, or by the writer thread, as all below; the caller closes it. */
    RocksIterator iterator(ColumnFamily family) {
        return database.newIterator(family(family), options.scan);
    }

    /** All of a family. */
    Scan scan(ColumnFamily family) {
        return scan(family, new byte[0]);
    }

    /** All whose keys begin with {@code prefix}. */
    Scan scan(ColumnFamily family, byte[] prefix) {
        return scan(family, prefix, prefix);
    }

    /** Those from a key on. */
    Scan scan(ColumnFamily family, byte[] prefix, byte[] from) {
        return Scan.from(iterator(family), prefix, from);
    }

    /** Those from a key on downwards. */
    Scan scanBackwards(ColumnFamily family, byte[] prefix, byte[] from) {
        return Scan.downFrom(iterator(family), prefix, from);
    }

    /** Bytes of the files, and of the log as far as it is not in files yet; 0 when closed. Any thread. */
    long size() {
        try {
            return reading(open -> database.getAggregatedLongProperty("rocksdb.total-sst-files-size")
                    + database.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables"));
        } catch (RocksDBException | StoreException e) {
            return 0;
        }
    }

    /** By the writer thread, once; waits for those who read. */
    void close() {
        closing.writeLock().lock();
        try {
            closed = true;
            handles.values().forEach(ColumnFamilyHandle::close);
            database.close();
            options.close();
        } finally {
            closing.writeLock().unlock();
        }
    }
}
