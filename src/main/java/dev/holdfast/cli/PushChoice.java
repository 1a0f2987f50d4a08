package dev.holdfast.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which pushes are meant. */
final class PushChoice {
    @Option(names = "--from", paramLabel = "SEQ", description = "Those from this position on.")
    private @Nullable Long from;

    @Option(names = "--to", paramLabel = "SEQ", description = "Those up to this position.")
    private @Nullable Long to;

    @Option(names = "--id", paramLabel = "ID", description = "Those of one identifier of the platform's.")
    private @Nullable String id;

    @Option(names = "--event", paramLabel = "PATTERN", description = "Those of an event, or of some: client.*")
    private @Nullable String event;

    @Option(names = "--since", paramLabel = "TIME", description = "Those received then or later: 2026-01-31T00:00:00Z")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Those received before.")
    private @Nullable String until;

    /** As the API wants it. */
    RequestParameters fields() {
        return new RequestParameters()
                .put("from", from)
                .put("to", to)
                .put("id", id)
                .put("event", event)
                .put("since", since)
                .put("until", until);
    }
}
