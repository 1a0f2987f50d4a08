package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dead-letters discard} and {@code quarantine discard}. */
@Command(name = "discard", description = "Gives those that are chosen up for good.")
final class DiscardCommand extends ChangeCommand {
    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; it is kept.")
    private String reason = "";

    DiscardCommand(CliEnvironment cli, String path, Choice choice) {
        super(cli, path, "discarded", choice);
    }

    @Override
    RequestParameters fields() {
        return super.fields().put("reason", reason);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        if (isAmiss(answer.get("discarded").asLong())) {
            out.println("found nothing of" + chosen());
            return;
        }
        out.println(are(answer.get("discarded").asLong()) + "discarded");
    }

    @Override
    int status(JsonNode answer) {
        return isAmiss(answer.get("discarded").asLong()) ? ExitStatus.FAILED : ExitStatus.DONE;
    }
}
