package dev.holdfast.store;

import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Changes that one synced write makes durable, all or nothing. By the writer thread. */
final class Group implements AutoCloseable {
    /** Something that is to be made durable. By the writer thread. */
    interface Change {
        void addTo(Group group) throws RocksDBException;
    }

    private final Database database;
    private final WriteBatch batch = new WriteBatch();

    Group(Database database) {
        this.database = database;
    }

    /** What was there before the group. */
    Database before() {
        return database;
    }

    void put(ColumnFamily family, byte[] key, byte[] value) throws RocksDBException {
        batch.put(database.family(family), key, value);
    }

    void delete(ColumnFamily family, byte[] key) throws RocksDBException {
        batch.delete(database.family(family), key);
    }

    /** @param value null: there is to be none */
    void keep(ColumnFamily family, byte[] key, byte @Nullable [] value) throws RocksDBException {
        if (value == null) {
            delete(family, key);
        } else {
            put(family, key, value);
        }
    }

    /** Deletes all keys that begin with {@code prefix}, which ends with a zero byte. */
    void deleteAll(ColumnFamily family, byte[] prefix) throws RocksDBException {
        batch.deleteRange(database.family(family), prefix, BlockedPushForm.end(prefix));
    }

    WriteBatch batch() {
        return batch;
    }

    @Override
    public void close() {
        batch.close();
    }
}
