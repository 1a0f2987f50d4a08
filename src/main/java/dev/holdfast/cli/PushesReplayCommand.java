package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pushes replay}: begins a replay, shows those on their way, or stops one. */
@Command(
        name = "replay",
        description =
                "Delivers pushes again that are in the journal now, beside those that come in, marked as a replay.")
final class PushesReplayCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private ManagementAddress gateway = new ManagementAddress();

    @Mixin
    private PushChoice choice = new PushChoice();

    @Option(names = "--consumer", paramLabel = "NAME", description = "To one consumer. Default: to all.")
    private @Nullable String consumer;

    @Option(names = "--rate", paramLabel = "N", description = "Pushes a second at most. Default: 500")
    private @Nullable Integer rate;

    @Option(names = "--dry-run", description = "Only counts the pushes that match.")
    private boolean dryRun;

    @Option(names = "--status", description = "Shows the replays on their way, and begins none.")
    private boolean status;

    @Option(names = "--stop", paramLabel = "ID", description = "Stops a replay, and begins none.")
    private @Nullable String stop;

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private Form output = Form.text;

    PushesReplayCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        JsonNode answer = ask(gateway.client(surroundings.environment())).json();
        if (answer.has("error")) {
            throw new IOException(answer.get("error").asText());
        }
        if (output == Form.json) {
            surroundings.out().println(answer);
        } else if (answer.has("replays")) {
            answer.get("replays").forEach(replay -> surroundings.out().println(line(replay)));
        } else if (answer.has("pushes")) {
            surroundings.out().println(answer.get("pushes").asLong() + " pushes match");
        } else if (answer.has("stopped")) {
            surroundings.out().println(answer.get("stopped").asBoolean() ? "stopped" : "there is no such replay");
            return answer.get("stopped").asBoolean() ? HoldfastCommand.DONE : HoldfastCommand.FAILED;
        } else {
            surroundings.out().println(line(answer));
        }
        return HoldfastCommand.DONE;
    }

    private ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        if (status) {
            return client.get("/api/replays");
        }
        if (stop != null) {
            String id = URLEncoder.encode(stop, StandardCharsets.UTF_8);
            return client.post("/api/replays/" + id + "/stop", Map.of());
        }
        Map<String, String> fields = choice.fields();
        PushChoice.put(fields, "consumer", consumer);
        PushChoice.put(fields, "rate", rate);
        PushChoice.put(fields, "dryRun", dryRun ? true : null);
        return client.post("/api/replays", fields);
    }

    private static String line(JsonNode replay) {
        StringBuilder line = new StringBuilder("replay " + replay.get("id").asText() + " of "
                + replay.get("of").asText() + " "
                + replay.get("from").asLong() + " to "
                + replay.get("to").asLong() + " is " + replay.get("state").asText());
        replay.get("consumers")
                .forEach(consumer -> line.append(", ")
                        .append(consumer.get("name").asText())
                        .append(
                                consumer.get("done").asBoolean()
                                        ? " done"
                                        : " at " + consumer.get("next").asLong())
                        .append(": " + consumer.get("delivered").asLong() + " delivered, ")
                        .append(consumer.get("failed").asLong() + " failed"));
        return line.toString();
    }
}
