package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Counted;
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

    @Option(names = "--follow", description = "Wait for its end; exit status 0 when everything was delivered, else 1.")
    private boolean follow;

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
                    ? client.get("/replays", "replays")
                    : client.post(
                            "/replays/" + pathPart("--stop", stop, "the identifier of a replay") + "/stop",
                            Map.of(),
                            "stopped");
        }
        if (!chosen && !dryRun) {
            throw usedWrongly("found nothing that says which pushes, expected --from, --to, --id, --event, --since,"
                    + " --until or --consumer, or --all for every push to every consumer");
        }
        ManagementClient.Answer begun = client.post("/replays", fields.object(), dryRun ? "pushes" : "id");
        return follow && begun.json().has("id")
                ? new FollowedReplay(client, progress())
                        .await(begun.json().get("id").asText())
                : begun;
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        if (answer.has("replays")) {
            ReplayTable.of(answer.get("replays")).print(out, terminal());
        } else if (answer.has("pushes")) {
            out.println(counted(answer));
        } else if (answer.has("stopped")) {
            out.println("stopped");
        } else {
            ReplayTable.of(List.of(answer)).print(out, terminal());
            if (answer.path("failed").asLong() > 0) {
                progress().say("why: " + next("dead-letters list"));
            }
        }
    }

    /** What a dry run answers, in words. */
    static String counted(JsonNode answer) {
        String counted = Counted.of(answer.get("pushes").asLong(), "push") + ", "
                + Counted.of(answer.get("deliveries").asLong(), "delivery");
        JsonNode searched = answer.get("searched");
        return answer.get("more").asBoolean()
                ? "at least " + counted + ": counted back to push " + Shown.text(searched, "seq") + ", received "
                        + Shown.text(searched, "receivedAt")
                : counted;
    }

    /** Failed when it was followed and did not come to its end, or something failed. */
    @Override
    int status(JsonNode answer) {
        boolean failed = follow
                && answer.has("state")
                && (answer.path("failed").asLong() > 0
                        || !answer.path("state").asText().equals("done"));
        return failed ? ExitStatus.FAILED : ExitStatus.DONE;
    }
}
