package dev.holdfast.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which dead letters are meant. */
@SuppressWarnings("unused") // They are read as options.
final class DeadLetterChoice extends Choice {
    @Option(names = "--consumer", paramLabel = "NAME", description = "Those of one consumer.")
    private @Nullable String consumer;

    @Option(names = "--event", paramLabel = "PATTERN", description = "Those of an event, or of some: client.*")
    private @Nullable String event;

    @Option(names = "--seq", paramLabel = "SEQ", description = "Those of one push.")
    private @Nullable Long seq;

    @Option(names = "--from", paramLabel = "SEQ", description = "Those from this position on.")
    private @Nullable Long from;

    @Option(names = "--to", paramLabel = "SEQ", description = "Those up to this position.")
    private @Nullable Long to;
}
