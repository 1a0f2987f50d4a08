package dev.holdfast.store;

import org.rocksdb.RocksDBException;

/** Something that is to be made durable. By the writer thread. */
interface Change {
    void addTo(Group group) throws RocksDBException;
}
