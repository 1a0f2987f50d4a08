package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dead-letters list}. */
@Command(name = "list", description = "Lists dead letters in the order of consumer and position, a page at a time.")
final class DeadLettersListCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private ManagementAddress gateway = new ManagementAddress();

    @Mixin
    private DeadLetterChoice choice = new DeadLetterChoice();

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, up to 1000. Default: 100")
    private int limit = 100;

    @Option(names = "--after", paramLabel = "PLACE", description = "What the page before has named as next.")
    private @Nullable String after;

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private Form output = Form.text;

    DeadLettersListCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> fields = choice.fields();
        fields.put("limit", Integer.toString(limit));
        if (after != null) {
            fields.put("after", after);
        }
        JsonNode page = gateway.client(surroundings.environment())
                .get("/api/dead-letters" + DeadLetterChoice.query(fields))
                .json();
        if (page.has("error")) {
            throw new IOException(page.get("error").asText());
        }
        if (output == Form.json) {
            surroundings.out().println(page);
        } else {
            page.get("deadLetters").forEach(this::print);
            if (page.has("next")) {
                surroundings.out().println("more: --after " + page.get("next").asText());
            }
        }
        return HoldfastCommand.DONE;
    }

    private void print(JsonNode letter) {
        surroundings
                .out()
                .printf(
                        "%s seq=%d %s attempts=%d last=%s %s%n",
                        letter.get("consumer").asText(),
                        letter.get("seq").asLong(),
                        letter.get("event").asText(),
                        letter.get("attempts").asInt(),
                        letter.get("last").get("at").asText(),
                        letter.get("last").get("error").asText());
    }
}
