package dev.holdfast.store;

/**
 * A start of the gateway.
 *
 * @param at when it accepted pushes, milliseconds since the epoch
 * @param downMillis how long it had not, as far as it was noted; {@link #UNKNOWN} when nothing tells
 */
public record LedgerStart(long at, long downMillis, LastStop lastStop) {
    /** Nothing says how long it was down. */
    public static final long UNKNOWN = -1;

    /** What was before a start. Kept by name. */
    public enum LastStop {
        /** Nothing that the ledger knows of. */
        NONE,
        /** All was written, and the process ended by itself. */
        CLEAN,
        /** The process was killed, or died. */
        UNCLEAN,
        /** The store was lost, and the ledger's history with it. */
        LOST
    }
}
