package dev.holdfast.journal;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;

/** Opens the log of a gateway's data directory with nothing beside it: for those that only read, or only write. */
public final class LogWithoutStore {
    private static final long MAX_SIZE = 50L << 30;

    private LogWithoutStore() {}

    public static Journal open(Path directory) {
        return LogJournal.open(directory, new MapDigests(), 0, new SimpleMeterRegistry(), LogOptions.forSize(MAX_SIZE));
    }
}
