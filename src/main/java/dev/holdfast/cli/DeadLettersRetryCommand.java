package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dead-letters retry}. */
@Command(name = "retry", description = "Brings dead letters back to their lanes, beside whatever waits there.")
final class DeadLettersRetryCommand extends ChangeCommand {
    DeadLettersRetryCommand(CliEnvironment cli) {
        super(cli, "/dead-letters/retry", new DeadLetterChoice(), DeadLetterChoice.OPTIONS);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        long retrying = answer.get("retrying").asLong();
        out.println(are(retrying) + "retried"
                + (retrying == 0 ? "" : ": " + answer.get("order").asText()));
        answer.get("staying")
                .forEach(one -> out.println(one.get("count").asLong() + " of "
                        + one.get("consumer").asText() + " stay: "
                        + one.get("because").asText()));
    }

    /** Failed when there was something to retry and none of it could be. */
    @Override
    int status(JsonNode answer) {
        boolean stuck =
                answer.get("retrying").asLong() == 0 && !answer.get("staying").isEmpty();
        return stuck ? ExitStatus.FAILED : ExitStatus.DONE;
    }
}
