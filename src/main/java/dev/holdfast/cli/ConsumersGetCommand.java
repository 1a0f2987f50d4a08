package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Counted;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.StringJoiner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code consumers get}. */
@Command(name = "get", description = "Shows one consumer, and its blocked lanes with the push that blocks each.")
final class ConsumersGetCommand extends GatewayCommand {
    @Parameters(paramLabel = "NAME", description = "Its name.")
    private String name = "";

    ConsumersGetCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get("/consumers/" + pathPart("NAME", name, CONSUMER), "name");
    }

    @Override
    void print(JsonNode consumer, PrintWriter out) {
        Facts facts = new Facts(out, terminal());
        String state = Shown.text(consumer, "state");
        StringJoiner events = new StringJoiner(", ");
        consumer.path("events").forEach(event -> events.add(event.asText()));
        facts.say("consumer", Shown.text(consumer, "name"));
        facts.say(
                "state",
                ConsumerView.style(state),
                state + (consumer.has("because") ? ": " + Shown.text(consumer, "because") : ""));
        facts.say("events", events.toString());
        facts.say("verticle", Shown.text(consumer, "verticle"));
        facts.say(
                "handled",
                "up to " + Shown.text(consumer, "handled")
                        + (consumer.path("lanesBlocked").asInt() > 0 ? ", but for what waits in blocked lanes" : ""));
        long lag = consumer.path("lag").asLong();
        facts.say(
                "behind",
                lag == 0
                        ? "by nothing"
                        : Counted.of(lag, "position") + ", the oldest push " + Shown.seconds(consumer, "lagSeconds")
                                + " old");
        facts.say("rate", Shown.decimal(consumer, "rate") + " a second");
        facts.say("dead letters", Shown.text(consumer, "deadLetters"));
        facts.say("last failure", ConsumerView.failure(consumer));
        if (!consumer.path("lanes").isEmpty()) {
            out.println();
            lanes(consumer).print(out, terminal());
        }
        if (consumer.path("more").asBoolean()) {
            progress().say("there are more blocked lanes: these have failed longest");
        }
    }

    private static TextTable lanes(JsonNode consumer) {
        return new TextTable(
                        Column.of("BLOCKED LANE", Shown::text, "lane"),
                        Column.of("BY SEQ", Shown::number, "seq"),
                        Column.of("EVENT", Shown::text, "event").styled(Style.ACCENT),
                        Column.of("WAITING", Shown::number, "waiting"),
                        Column.of("ATTEMPTS", Shown::number, "attempts"),
                        Column.of("FIRST FAILED", Shown::time, "firstFailedAt"),
                        Column.of("NEXT", Shown::time, "nextAttemptAt"),
                        Column.of("ERROR", Shown::text, "lastError").styled(Style.BAD))
                .dropping("FIRST FAILED", "WAITING")
                .lastBelow()
                .rows(consumer.get("lanes"));
    }
}
