package dev.holdfast.cli;

import dev.holdfast.config.EventForm;
import dev.holdfast.push.PushFilter;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which pushes are meant. */
final class PushChoice extends Choice {
    @Option(names = "--from", paramLabel = "SEQ", description = "Those from this position on.")
    private @Nullable Long from;

    @Option(names = "--to", paramLabel = "SEQ", description = "Those up to this position.")
    private @Nullable Long to;

    @Option(names = "--id", paramLabel = "ID", description = "Those of one identifier of the platform's.")
    private @Nullable String id;

    @Option(names = "--event", paramLabel = "PATTERN", description = "Those of an event, or of some: client.*")
    private @Nullable String event;

    @Option(
            names = "--enterprise",
            paramLabel = "TOKEN",
            description = "Those of one enterprise, by its enterprise_token.")
    private @Nullable String enterprise;

    @Option(names = "--endpoint", paramLabel = "NAME", description = "Those that came in at one endpoint.")
    private @Nullable String endpoint;

    @Option(names = "--since", paramLabel = "TIME", description = "Those received then or later: 2026-01-31T00:00:00Z")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Those received before.")
    private @Nullable String until;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec verb = CommandSpec.create();

    /** The choice as a filter, for a journal that is read in this process. */
    PushFilter filter() {
        long first = from == null ? 0 : from;
        long last = to == null ? Long.MAX_VALUE : to;
        require(first >= 0, "--from", first, "a position from 0 on");
        require(last >= first, "--to", last, "a position from " + first + " on, where --from is");
        require(event == null || EventForm.isPattern(event), "--event", event, EventForm.EXPECTED);
        long earliest = millis("--since", since, 0);
        long end = millis("--until", until, Long.MAX_VALUE);
        require(end > earliest, "--until", until, "a time after --since");
        return new PushFilter(first, last, id, event, enterprise, endpoint, earliest, end);
    }

    private long millis(String option, @Nullable String text, long fallback) {
        try {
            return text == null ? fallback : Instant.parse(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw wrong(option, text, "a time such as 2026-01-31T00:00:00Z");
        }
    }

    private void require(boolean holds, String option, @Nullable Object found, String expected) {
        if (!holds) {
            throw wrong(option, found, expected);
        }
    }

    private ParameterException wrong(String option, @Nullable Object found, String expected) {
        return new ParameterException(verb.commandLine(), option + ": found " + found + ", expected " + expected);
    }
}
