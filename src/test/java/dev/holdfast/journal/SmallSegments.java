package dev.holdfast.journal;

import dev.holdfast.store.Store;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;

/** Opens a log that begins a new segment every few pushes. */
public final class SmallSegments {
    private static final long SEGMENT_BYTES = 256 << 10;

    private SmallSegments() {}

    /**
     * Opens the journal of a data directory.
     *
     * @param store to be closed after the journal
     */
    public static Journal open(Path directory, Store store, MeterRegistry registry) {
        return LogUnderTest.open(
                LogDirectory.open(directory, LogDisk.REAL), store.digests(), 0, registry, SEGMENT_BYTES);
    }
}
