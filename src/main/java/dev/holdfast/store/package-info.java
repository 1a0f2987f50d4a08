/**
 * The small mutable state beside the journal, on RocksDB: positions, blocked pushes, dead letters, replays, the ledger, the audit,
 * digests. One small interface for each kind; nothing outside knows RocksDB. Never a push's only copy, but for dead letters; no
 * Vert.x.
 */
@NullMarked
package dev.holdfast.store;

import org.jspecify.annotations.NullMarked;
