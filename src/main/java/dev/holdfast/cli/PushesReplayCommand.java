package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.cli.terminal.Cell;
import dev.holdfast.cli.terminal.Column;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.TextTable;
import dev.holdfast.logging.Counted;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pushes replay}: begins a replay, shows those on their way and the last ones, or stops one. */
@Command(
        name = "replay",
        description =
                "Delivers pushes again that are in the journal now, beside those that come in, marked as a replay.")
final class PushesReplayCommand implements Callable<Integer> {
    /** Fields of a replay, other than positions, that narrow it. */
    private static final List<String> NARROWING =
            List.of("event", "pushId", "enterprise", "endpoint", "since", "until");

    @Mixin
    private GatewayOptions gateway;

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

    @Option(
            names = "--status",
            description = "Shows the replays on their way and those that ended last, and begins none.")
    private boolean status;

    @Option(names = "--stop", paramLabel = "ID", description = "Stops a replay, and begins none.")
    private @Nullable String stop;

    /** Fails if the replay was followed and did not come to its end, or something failed. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        JsonNode answer = ask(gateway.client());
        gateway.show(answer, this::print);
        boolean failed = follow && answer.has("state") && !FollowedReplay.isSuccess(answer);
        return failed ? ExitStatus.FAILED : ExitStatus.DONE;
    }

    private JsonNode ask(ManagementClient client) throws IOException, InterruptedException {
        RequestParameters fields = choice.fields().put("consumer", consumer);
        boolean chosen = !fields.isEmpty() || all;
        fields.put("all", all ? true : null).put("rate", rate).put("dryRun", dryRun ? true : null);
        if (status || stop != null) {
            if (!fields.isEmpty() || (status && stop != null)) {
                throw gateway.usedWrongly("found --status or --stop beside other options, expected one of them alone");
            }
            if (stop == null) {
                return client.get("/replays", "replays");
            }
            String id = gateway.pathPart("--stop", stop, "the identifier of a replay");
            return client.post("/replays/" + id + "/stop", new RequestParameters(), "stopped");
        }
        if (!chosen && !dryRun) {
            throw gateway.usedWrongly("found nothing that says which pushes, expected --consumer, " + choice.options()
                    + ", or --all for every push to every consumer");
        }
        JsonNode begun = client.post("/replays", fields, dryRun ? "pushes" : "id");
        return follow && begun.has("id")
                ? new FollowedReplay(client, gateway.progress())
                        .await(begun.get("id").asText())
                : begun;
    }

    private void print(JsonNode answer, PrintWriter out) {
        if (answer.has("replays")) {
            table(answer.get("replays")).print(out, gateway.terminal());
        } else if (answer.has("pushes")) {
            out.println(counted(answer));
        } else if (answer.has("stopped")) {
            out.println("stopped");
        } else {
            table(List.of(answer)).print(out, gateway.terminal());
            if (answer.path("failed").asLong() > 0) {
                gateway.progress().say("why: " + gateway.next("dead-letters list"));
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

    /** A line for each consumer. */
    private static TextTable table(Iterable<JsonNode> replays) {
        List<JsonNode> parts = new ArrayList<>();
        for (JsonNode replay : replays) {
            for (JsonNode consumer : replay.get("consumers")) {
                ObjectNode part = consumer.deepCopy();
                parts.add(part.set("replay", replay));
            }
        }
        return new TextTable(
                        new Column("REPLAY", part -> Shown.text(part.get("replay"), "id")),
                        new Column("OF", part -> Shown.text(part.get("replay"), "of")),
                        new Column("STATE", part -> state(part.get("replay"))),
                        new Column("FROM", part -> Shown.number(part.get("replay"), "from")),
                        new Column("TO", part -> Shown.number(part.get("replay"), "to")),
                        new Column("ONLY", part -> narrowed(part.get("replay"))),
                        Column.of("CONSUMER", Shown::text, "name"),
                        new Column(
                                "AT",
                                part -> part.path("done").asBoolean()
                                        ? Cell.figure("done")
                                        : Shown.number(part, "next")),
                        Column.of("DELIVERED", Shown::number, "delivered"),
                        Column.of("FAILED", Shown.alarming(Style.BAD), "failed"))
                .rows(parts);
    }

    private static Cell state(JsonNode replay) {
        String state = Shown.text(replay, "state");
        Style style =
                switch (state) {
                    case "done" -> replay.path("failed").asLong() > 0 ? Style.WARNING : Style.GOOD;
                    case "running" -> Style.ACCENT;
                    default -> Style.WARNING;
                };
        return Cell.styled(style, state);
    }

    /** What a replay was narrowed by. */
    private static String narrowed(JsonNode replay) {
        StringJoiner shown = new StringJoiner(", ");
        shown.setEmptyValue("-");
        NARROWING.stream()
                .filter(replay::has)
                .forEach(key -> shown.add((key.equals("pushId") ? "id" : key) + " " + Shown.text(replay, key)));
        return shown.toString();
    }
}
