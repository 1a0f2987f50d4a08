package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What {@code dead-letters retry} and {@code dead-letters discard} have in common. */
abstract class DeadLettersChangeCommand implements Callable<Integer> {
    private final Surroundings surroundings;
    private final String path;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ManagementAddress gateway = new ManagementAddress();

    @Mixin
    private DeadLetterChoice choice = new DeadLetterChoice();

    @Option(names = "--all", description = "All of them.")
    private boolean all;

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private Form output = Form.text;

    DeadLettersChangeCommand(Surroundings surroundings, String path) {
        this.surroundings = surroundings;
        this.path = path;
    }

    /** What the API wants beside the choice. */
    abstract Map<String, String> more();

    /** What was done, in a line. */
    abstract String text(JsonNode answer);

    @Override
    public final Integer call() throws IOException, InterruptedException {
        Map<String, String> fields = choice.fields();
        if (fields.isEmpty() && !all) {
            throw new ParameterException(
                    spec.commandLine(),
                    "found nothing that says which, expected --consumer, --event, --seq, --from or --to, or --all");
        }
        if (fields.isEmpty()) {
            fields.put("all", "true");
        }
        fields.putAll(more());
        JsonNode answer =
                gateway.client(surroundings.environment()).post(path, fields).json();
        if (answer.has("error")) {
            throw new IOException(answer.get("error").asText());
        }
        surroundings.out().println(output == Form.json ? answer.toString() : text(answer));
        return HoldfastCommand.DONE;
    }

    /** {@code dead-letters retry}. */
    @Command(name = "retry", description = "Brings dead letters back to their lanes, before whatever waits there.")
    static final class Retry extends DeadLettersChangeCommand {
        Retry(Surroundings surroundings) {
            super(surroundings, "/api/dead-letters/retry");
        }

        @Override
        Map<String, String> more() {
            return Map.of();
        }

        @Override
        String text(JsonNode answer) {
            return answer.get("retrying").asLong() + " are retried: "
                    + answer.get("order").asText();
        }
    }

    /** {@code dead-letters discard}. */
    @Command(name = "discard", description = "Gives dead letters up for good.")
    static final class Discard extends DeadLettersChangeCommand {
        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; it goes into the log.")
        private String reason = "";

        Discard(Surroundings surroundings) {
            super(surroundings, "/api/dead-letters/discard");
        }

        @Override
        Map<String, String> more() {
            return Map.of("reason", reason);
        }

        @Override
        String text(JsonNode answer) {
            return answer.get("discarded").asLong() + " are discarded";
        }
    }
}
