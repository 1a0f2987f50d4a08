package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quarantine list}. */
@Command(name = "list", description = "Lists quarantined requests in the order of their arrival, a page at a time.")
final class QuarantineListCommand extends ListCommand {
    @Mixin
    private QuarantineChoice choice = new QuarantineChoice();

    QuarantineListCommand(CliEnvironment cli) {
        super(cli, "/api/quarantine", "requests", "--from");
    }

    @Override
    RequestParameters choice() {
        return choice.fields();
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
