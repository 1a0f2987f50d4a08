package dev.holdfast.journal;

import org.rocksdb.RocksDBException;

/** The synced write of a store's batch: the one point through which everything durable goes. */
interface Commit {
    void write(Store store) throws RocksDBException;
}
