/**
 * Where accepted pushes live: the {@link dev.holdfast.journal.Journal} and its RocksDB implementation. Plain Java: no
 * Vert.x in here, and nothing outside knows RocksDB.
 */
@NullMarked
package dev.holdfast.journal;

import org.jspecify.annotations.NullMarked;
