package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Column;
import dev.holdfast.cli.terminal.Facts;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.TextTable;
import dev.holdfast.logging.Counted;
import java.io.IOException;
import java.util.StringJoiner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code consumers}. */
@Command(
        name = "consumers",
        description = "Shows the state of a running gateway's consumers, or pauses or resumes one.")
final class ConsumersCommand extends VerbGroup {
    @Command(description = "Shows the state of each consumer, by name.")
    void list(@Mixin GatewayOptions gateway) throws IOException, InterruptedException {
        gateway.show(
                gateway.client().get("/consumers", "consumers"),
                (answer, out) -> ConsumerView.table(answer.get("consumers")).print(out, gateway.terminal()));
    }

    @Command(description = "Shows one consumer, and its blocked lanes with the push that blocks each.")
    void get(@Mixin GatewayOptions gateway, @Parameters(paramLabel = "NAME", description = "Its name.") String name)
            throws IOException, InterruptedException {
        gateway.show(gateway.client().get("/consumers/" + gateway.consumer("NAME", name), "name"), (consumer, out) -> {
            print(consumer, new Facts(out, gateway.terminal()));
            if (!consumer.path("lanes").isEmpty()) {
                out.println();
                lanes(consumer).print(out, gateway.terminal());
            }
            if (consumer.path("more").asBoolean()) {
                gateway.progress().say("there are more blocked lanes: these have failed longest");
            }
        });
    }

    @Command(description = "Gives a consumer no more pushes until it is resumed, also over a restart.")
    void pause(@Mixin GatewayOptions gateway, @Parameters(paramLabel = "NAME", description = "Its name.") String name)
            throws IOException, InterruptedException {
        turn(gateway, name, "pause");
    }

    @Command(description = "Lets a paused consumer go on where it was.")
    void resume(@Mixin GatewayOptions gateway, @Parameters(paramLabel = "NAME", description = "Its name.") String name)
            throws IOException, InterruptedException {
        turn(gateway, name, "resume");
    }

    /** @param action the last part of its path in the API */
    private static void turn(GatewayOptions gateway, String name, String action)
            throws IOException, InterruptedException {
        String path = "/consumers/" + gateway.consumer("NAME", name) + "/" + action;
        gateway.show(gateway.client().post(path, new RequestParameters(), "name"), (consumer, out) -> {
            String state = Shown.text(consumer, "state");
            long lag = consumer.path("lag").asLong();
            out.println(Shown.text(consumer, "name") + " is "
                    + gateway.terminal().paint(ConsumerView.style(state), state)
                    + (lag > 0 ? ", " + lag + " behind" : ""));
        });
    }

    private static void print(JsonNode consumer, Facts facts) {
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
                        + (consumer.path("lanes").isEmpty() ? "" : ", but for what waits in blocked lanes"));
        long lag = consumer.path("lag").asLong();
        facts.say(
                "behind",
                lag == 0
                        ? consumer.has("lag") ? "by nothing" : Shown.NOTHING
                        : Counted.of(lag, "position") + ", the oldest push " + Shown.seconds(consumer, "lagSeconds")
                                + " old");
        facts.say("rate", Shown.decimal(consumer, "rate") + " a second");
        facts.say("dead letters", Shown.text(consumer, "deadLetters"));
        facts.say("last failure", ConsumerView.failure(consumer));
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
