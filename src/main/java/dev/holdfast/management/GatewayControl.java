package dev.holdfast.management;

import dev.holdfast.journal.DiskState;
import org.jspecify.annotations.Nullable;

/** What the API asks of the gateway as a whole, on a worker thread. */
public interface GatewayControl {
    /** The port that pushes come to. */
    int receiverPort();

    /** The port of this API. */
    int managementPort();

    /** The journal's disk. */
    DiskState disk();

    /**
     * What the journal holds.
     *
     * @param firstSeq the lowest position; one more than the last where it holds nothing
     * @param lastSeq the highest position ever; 0: there was none
     * @param size bytes
     */
    record JournalState(long firstSeq, long lastSeq, long size) {}

    /** What the journal holds now. */
    JournalState journal();

    /** The configuration in force, a line a key, secrets masked. */
    String configuration();

    /** Null before the first one. */
    @Nullable
    LastReload lastReload();
}
