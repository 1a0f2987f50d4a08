package dev.holdfast.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;

/** Changes that one synced write makes durable, all or nothing. Each finds what those before it made. By the writer thread. */
final class Group implements AutoCloseable {
    /** Something that is to be made durable. By the writer thread. */
    interface Change {
        void addTo(Group group) throws RocksDBException;
    }

    private final Database database;
    private final WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
    private final List<Runnable> whenDurable = new ArrayList<>();

    Group(Database database) {
        this.database = database;
    }

    /** What a family has under a key by now; null: nothing. */
    byte @Nullable [] get(ColumnFamily family, byte[] key) throws RocksDBException {
        return database.get(batch, family, key);
    }

    /** What there is by now from a key on. Nothing may be changed while it goes through it. */
    Scan scan(ColumnFamily family, byte[] prefix, byte[] from) {
        return Scan.from(batch.newIteratorWithBase(database.family(family), database.iterator(family)), prefix, from);
    }

    /** Puts a key without a value. */
    void put(ColumnFamily family, byte[] key) throws RocksDBException {
        put(family, key, new byte[0]);
    }

    void put(ColumnFamily family, byte[] key, byte[] value) throws RocksDBException {
        batch.put(database.family(family), key, value);
    }

    void delete(ColumnFamily family, byte[] key) throws RocksDBException {
        batch.delete(database.family(family), key);
    }

    /**
     * Deletes all keys that begin with {@code prefix}, which ends with a zero byte. The index knows nothing of ranges: what follows
     * in the group finds them until {@link #flush}.
     */
    void deleteAll(ColumnFamily family, byte[] prefix) throws RocksDBException {
        batch.getWriteBatch().deleteRange(database.family(family), prefix, BlockedPushForm.end(prefix));
    }

    /** Writes what there is so far, all or nothing. The sync comes with the rest. */
    void flush() throws RocksDBException {
        database.write(batch());
        batch.clear();
    }

    /** Does something when the group is durable, and nothing when it isn't: all is loaded anew then. */
    void whenDurable(Runnable action) {
        whenDurable.add(action);
    }

    void durable() {
        whenDurable.forEach(Runnable::run);
    }

    WriteBatch batch() {
        return batch.getWriteBatch();
    }

    @Override
    public void close() {
        batch.close();
    }
}
