package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import picocli.CommandLine.Command;

/** {@code quarantine list}. */
@Command(name = "list", description = "Lists quarantined requests the newest first, a page at a time.")
final class QuarantineListCommand extends ListCommand {
    QuarantineListCommand(CliEnvironment cli) {
        super(cli, "/quarantine", "requests", new QuarantineChoice(), "--cursor");
    }

    @Override
    String line(JsonNode request) {
        return shown(request);
    }

    /** A request without what was sent. */
    static String shown(JsonNode request) {
        return "id=" + request.get("id").asLong() + " " + request.get("cause").asText() + " received="
                + request.get("receivedAt").asText() + " endpoint="
                + request.get("endpoint").asText() + " from="
                + Printable.line(request.get("address").asText()) + " bytes="
                + request.get("bytes").asLong();
    }
}
