package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pushes list}. */
@Command(name = "list", description = "Lists pushes in the order of their positions, a page at a time.")
final class PushesListCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private ManagementAddress gateway = new ManagementAddress();

    @Mixin
    private PushChoice choice = new PushChoice();

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, up to 1000. Default: 100")
    private int limit = 100;

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private Form output = Form.text;

    PushesListCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> fields = choice.fields();
        fields.put("limit", Integer.toString(limit));
        JsonNode page = gateway.client(surroundings.environment())
                .get("/api/pushes" + DeadLetterChoice.query(fields))
                .json();
        if (page.has("error")) {
            throw new IOException(page.get("error").asText());
        }
        if (output == Form.json) {
            surroundings.out().println(page);
        } else {
            page.get("pushes").forEach(push -> surroundings.out().println(line(push)));
            if (page.has("next")) {
                surroundings.out().println("more: --from " + page.get("next").asText());
            }
        }
        return HoldfastCommand.DONE;
    }

    /** A push without its body. */
    static String line(JsonNode push) {
        return "seq=" + push.get("seq").asLong() + " " + push.get("event").asText() + " received="
                + push.get("receivedAt").asText() + " endpoint="
                + push.get("endpoint").asText() + " bytes="
                + push.get("bytes").asLong() + " id=" + push.get("id").asText();
    }
}
