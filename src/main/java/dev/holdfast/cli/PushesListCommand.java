package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import picocli.CommandLine.Command;

/** {@code pushes list}. */
@Command(name = "list", description = "Lists pushes in the order of their positions, a page at a time.")
final class PushesListCommand extends ListCommand {
    PushesListCommand(CliEnvironment cli) {
        super(cli, "/pushes", "pushes", new PushChoice(), "--from");
    }

    @Override
    String line(JsonNode push) {
        return shown(push);
    }

    /** A push without its body. */
    static String shown(JsonNode push) {
        return "seq=" + push.get("seq").asLong() + " " + push.get("event").asText() + " received="
                + push.get("receivedAt").asText() + " endpoint="
                + push.get("endpoint").asText() + " bytes="
                + push.get("bytes").asLong() + (push.path("late").asBoolean() ? " late" : "") + " id="
                + Printable.line(push.get("id").asText());
    }
}
