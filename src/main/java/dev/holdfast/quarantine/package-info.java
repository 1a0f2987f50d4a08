/**
 * Requests whose signature did not match, kept for a while in files of their own, to be looked at and verified again. What goes
 * wrong here costs the quarantine and nothing else; no RocksDB, no Vert.x.
 */
@NullMarked
package dev.holdfast.quarantine;

import org.jspecify.annotations.NullMarked;
