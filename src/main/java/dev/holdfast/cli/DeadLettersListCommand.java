package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dead-letters list}. */
@Command(name = "list", description = "Lists dead letters in the order of consumer and position, a page at a time.")
final class DeadLettersListCommand extends ListCommand {
    @Option(names = "--after", paramLabel = "PLACE", description = "What the page before has named as next.")
    private @Nullable String after;

    DeadLettersListCommand(CliEnvironment cli) {
        super(cli, "/dead-letters", "deadLetters", new DeadLetterChoice(), "--after");
    }

    @Override
    RequestParameters fields() {
        return super.fields().put("after", after);
    }

    @Override
    String line(JsonNode letter) {
        return letter.get("consumer").asText() + " seq=" + letter.get("seq").asLong() + " "
                + letter.get("event").asText() + " attempts="
                + letter.get("attempts").asInt() + " last="
                + letter.get("last").get("at").asText() + " "
                + letter.get("last").get("error").asText();
    }
}
