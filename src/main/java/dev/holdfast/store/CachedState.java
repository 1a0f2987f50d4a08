package dev.holdfast.store;

import org.rocksdb.RocksDBException;

/** What a kind keeps in memory of what is durable. Changed by the writer thread. */
interface CachedState {
    /** The database was opened, for the first time or after a group that failed: what that made of it is no more. */
    void load(Database database) throws RocksDBException;
}
