package dev.holdfast.journal;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;

/** Opens the log of a gateway's data directory with nothing beside it: for those that only read, or only write. */
public final class LogWithoutStore {
    private LogWithoutStore() {}

    public static Journal open(Path directory) {
        return LogUnderTest.open(
                LogDirectory.open(directory, LogDisk.REAL),
                new MapDigests(),
                0,
                new SimpleMeterRegistry(),
                LogUnderTest.SEGMENT_BYTES);
    }
}
