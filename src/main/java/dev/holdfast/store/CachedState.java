package dev.holdfast.store;

import org.rocksdb.RocksDBException;

/** What a kind keeps in memory of what is durable. Changed by the writer thread, read by any. */
interface CachedState {
    /** The database was opened. */
    void load(Database database) throws RocksDBException;

    /** The group under way is durable. */
    void committed(Database database);

    /** The group under way is not. */
    void abandoned();
}
