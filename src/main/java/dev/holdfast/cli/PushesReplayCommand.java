package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pushes replay}: begins a replay, shows those on their way, or stops one. */
@Command(
        name = "replay",
        description =
                "Delivers pushes again that are in the journal now, beside those that come in, marked as a replay.")
final class PushesReplayCommand extends GatewayCommand {
    /** What the API may name beside positions. */
    private static final List<String> NARROWING = List.of("event", "pushId", "since", "until");

    @Mixin
    private PushChoice choice = new PushChoice();

    @Option(names = "--consumer", paramLabel = "NAME", description = "To one consumer. Default: to all.")
    private @Nullable String consumer;

    @Option(names = "--all", description = "Every push that is kept, when nothing else says which.")
    private boolean all;

    @Option(names = "--rate", paramLabel = "N", description = "Pushes a second at most. Default: 500")
    private @Nullable Integer rate;

    @Option(names = "--dry-run", description = "Only counts the pushes that match, and the deliveries that makes.")
    private boolean dryRun;

    @Option(names = "--status", description = "Shows the replays on their way, and begins none.")
    private boolean status;

    @Option(names = "--stop", paramLabel = "ID", description = "Stops a replay, and begins none.")
    private @Nullable String stop;

    PushesReplayCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        RequestParameters fields = choice.fields().put("consumer", consumer);
        boolean chosen = !fields.isEmpty() || all;
        fields.put("all", all ? true : null).put("rate", rate).put("dryRun", dryRun ? true : null);
        if (status || stop != null) {
            if (!fields.isEmpty() || (status && stop != null)) {
                throw usedWrongly("found --status or --stop beside other options, expected one of them alone");
            }
            return stop == null
                    ? client.get("/replays")
                    : client.post("/replays/" + RequestParameters.encoded(stop) + "/stop", Map.of());
        }
        if (!chosen && !dryRun) {
            throw usedWrongly("found nothing that says which pushes, expected --from, --to, --id, --event, --since,"
                    + " --until or --consumer, or --all for every push to every consumer");
        }
        return client.post("/replays", fields.object());
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        if (answer.has("replays")) {
            answer.get("replays").forEach(replay -> out.println(line(replay)));
        } else if (answer.has("pushes")) {
            out.println(answer.get("pushes").asLong() + " pushes, "
                    + answer.get("deliveries").asLong() + " deliveries");
        } else if (answer.has("stopped")) {
            out.println("stopped");
        } else {
            out.println(line(answer));
        }
    }

    private static String line(JsonNode replay) {
        StringBuilder line = new StringBuilder("replay " + replay.get("id").asText() + " of "
                + replay.get("of").asText() + " "
                + replay.get("from").asLong() + " to "
                + replay.get("to").asLong() + narrowed(replay) + " is "
                + replay.get("state").asText());
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

    /** What tells it from others of the same positions. */
    private static String narrowed(JsonNode replay) {
        StringBuilder shown = new StringBuilder();
        NARROWING.stream()
                .filter(replay::has)
                .forEach(key -> shown.append(", ")
                        .append(key.equals("pushId") ? "id" : key)
                        .append(' ')
                        .append(replay.get(key).asText()));
        return shown.isEmpty() ? "" : shown.append(',').toString();
    }
}
