package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code dead-letters retry} and {@code dead-letters discard} have in common. */
abstract class DeadLettersChangeCommand extends GatewayCommand {
    private final String path;

    @Mixin
    private DeadLetterChoice choice = new DeadLetterChoice();

    @Option(names = "--all", description = "All of them.")
    private boolean all;

    DeadLettersChangeCommand(CliEnvironment cli, String path) {
        super(cli);
        this.path = path;
    }

    /** What the API wants. */
    RequestParameters fields() {
        RequestParameters fields = choice.fields();
        if (fields.isEmpty() && !all) {
            throw usedWrongly(
                    "found nothing that says which, expected --consumer, --event, --seq, --from or --to, or --all");
        }
        return fields.put("all", all ? true : null);
    }

    @Override
    final ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.post(path, fields().object());
    }

    private static String count(long letters) {
        return letters + (letters == 1 ? " is " : " are ");
    }

    /** {@code dead-letters retry}. */
    @Command(name = "retry", description = "Brings dead letters back to their lanes, beside whatever waits there.")
    static final class Retry extends DeadLettersChangeCommand {
        Retry(CliEnvironment cli) {
            super(cli, "/api/dead-letters/retry");
        }

        @Override
        void print(JsonNode answer, PrintWriter out) {
            long retrying = answer.get("retrying").asLong();
            out.println(count(retrying) + "retried"
                    + (retrying == 0 ? "" : ": " + answer.get("order").asText()));
            answer.get("staying")
                    .forEach(one -> out.println(one.get("count").asLong() + " of "
                            + one.get("consumer").asText() + " stay: "
                            + one.get("because").asText()));
        }

        /** Failed when there was something to retry and none of it could be. */
        @Override
        int status(JsonNode answer) {
            boolean stuck = answer.get("retrying").asLong() == 0
                    && !answer.get("staying").isEmpty();
            return stuck ? ExitStatus.FAILED : ExitStatus.DONE;
        }
    }

    /** {@code dead-letters discard}. */
    @Command(name = "discard", description = "Gives dead letters up for good.")
    static final class Discard extends DeadLettersChangeCommand {
        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; it goes into the log.")
        private String reason = "";

        Discard(CliEnvironment cli) {
            super(cli, "/api/dead-letters/discard");
        }

        @Override
        RequestParameters fields() {
            return super.fields().put("reason", reason);
        }

        @Override
        void print(JsonNode answer, PrintWriter out) {
            out.println(count(answer.get("discarded").asLong()) + "discarded");
        }
    }
}
