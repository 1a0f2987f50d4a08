package dev.holdfast.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which quarantined requests are meant. */
@SuppressWarnings("unused") // They are read as options.
final class QuarantineChoice extends Choice {
    @Option(names = "--endpoint", paramLabel = "NAME", description = "Those that came to one endpoint.")
    private @Nullable String endpoint;

    @Option(
            names = "--cause",
            paramLabel = "CAUSE",
            description = "Those whose signature was missing, malformed, doubled or a mismatch.")
    private @Nullable String cause;

    @Option(
            names = "--event",
            paramLabel = "PATTERN",
            description = "Those whose body says that it is of an event, or of some: client.* Nobody verified it.")
    private @Nullable String event;

    @Option(
            names = "--push-id",
            paramLabel = "ID",
            description = "Those whose body says this identifier of the platform's. Nobody verified it.")
    private @Nullable String pushId;

    @Option(names = "--id", paramLabel = "ID", description = "One of them.")
    private @Nullable Long id;

    @Option(names = "--from", paramLabel = "ID", description = "Those from this one on.")
    private @Nullable Long from;

    @Option(names = "--to", paramLabel = "ID", description = "Those up to this one.")
    private @Nullable Long to;

    @Option(names = "--since", paramLabel = "TIME", description = "Those received then or later: 2026-01-31T00:00:00Z")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Those received before.")
    private @Nullable String until;
}
