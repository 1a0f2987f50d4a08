package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dead-letters retry}. */
@Command(name = "retry", description = "Brings dead letters back to their lanes, beside whatever waits there.")
final class DeadLettersRetryCommand extends ChangeCommand {
    @Option(names = "--follow", description = "Wait until each is handled or has failed again.")
    private boolean follow;

    DeadLettersRetryCommand(CliEnvironment cli) {
        super(cli, "/dead-letters/retry", "retrying", new DeadLetterChoice());
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        ManagementClient.Answer begun = super.ask(client);
        if (follow && begun.json().has("replay")) {
            String id = begun.json().get("replay").asText();
            ManagementClient.Answer ended = new FollowedReplay(client, progress()).await(id);
            ((ObjectNode) begun.json()).set("ended", ended.json());
        }
        return begun;
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        if (matchesNone(answer)) {
            out.println("found no dead letter of" + chosen() + "; those that are there: " + next("dead-letters list"));
            return;
        }
        long retrying = answer.get("retrying").asLong();
        out.println(are(retrying) + "retried"
                + (retrying == 0 ? "" : ": " + answer.get("order").asText()));
        answer.get("staying")
                .forEach(one -> out.println(one.get("count").asLong() + " of "
                        + one.get("consumer").asText()
                        + (one.get("count").asLong() == 1 ? " stays: " : " stay: ")
                        + one.get("because").asText()));
        if (answer.has("ended")) {
            JsonNode ended = answer.get("ended");
            out.println(ended.path("delivered").asLong() + " delivered, "
                    + ended.path("failed").asLong() + " failed again"
                    + (ended.path("failed").asLong() > 0 ? ": " + next("dead-letters list" + chosen()) : ""));
        }
    }

    private boolean matchesNone(JsonNode answer) {
        return answer.get("staying").isEmpty() && isAmiss(answer.get("retrying").asLong());
    }

    /** Failed when those that were named aren't there, and when there was something to retry and none of it could be. */
    @Override
    int status(JsonNode answer) {
        boolean stuck = matchesNone(answer)
                || (answer.get("retrying").asLong() == 0
                        && !answer.get("staying").isEmpty());
        return stuck || answer.path("ended").path("failed").asLong() > 0 ? ExitStatus.FAILED : ExitStatus.DONE;
    }
}
