package dev.holdfast.store;

import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** The synced write of a group: the one point through which everything durable goes. */
interface SyncedWrite {
    void write(Database database, WriteBatch batch) throws RocksDBException;
}
