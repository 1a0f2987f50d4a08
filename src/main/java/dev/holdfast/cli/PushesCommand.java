package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Column;
import dev.holdfast.cli.terminal.Facts;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.TextTable;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pushes}; {@link PushesReplayCommand} is another verb of it. */
@Command(name = "pushes", description = "Shows what is in a running gateway's journal, or delivers it again.")
final class PushesCommand extends VerbGroup {
    @Command(description = "Lists pushes, the newest first.")
    void list(@Mixin GatewayOptions gateway, @Mixin PushChoice choice, @Mixin Paging paging)
            throws IOException, InterruptedException {
        TextTable table = new TextTable(
                        Column.of("SEQ", Shown::number, "seq"),
                        Column.of("RECEIVED", Shown::time, "receivedAt"),
                        Column.of("EVENT", Shown::text, "event").styled(Style.ACCENT),
                        Column.of("ENDPOINT", Shown::text, "endpoint"),
                        Column.of("ENTERPRISE", Shown::text, "enterprise"),
                        Column.of("SIZE", Shown::bytes, "bytes"),
                        new Column(
                                "ID",
                                push -> Shown.text(push, "id")
                                        + (push.path("late").asBoolean() ? " (late)" : "")))
                .dropping("SIZE", "ENDPOINT", "ENTERPRISE");
        paging.list(
                gateway, "/pushes", "pushes", choice.fields(), table, client -> none(gateway, client, choice.fields()));
    }

    /** The message if no push was found: it may have been refused. */
    private static String none(GatewayOptions gateway, ManagementClient client, RequestParameters chosen)
            throws IOException, InterruptedException {
        Map<String, Object> fields = chosen.object();
        RequestParameters same = new RequestParameters()
                .put("event", fields.get("event"))
                .put("pushId", fields.get("id"))
                .put("endpoint", fields.get("endpoint"))
                .put("since", fields.get("since"))
                .put("until", fields.get("until"));
        String look = gateway.next("quarantine list" + same.options());
        JsonNode refused = client.get("/quarantine" + same.put("limit", 1).query(), "requests")
                .get("requests");
        return refused.isEmpty()
                ? "none accepted; what was refused is counted: " + gateway.next("ledger")
                : "none accepted; what was refused is in the quarantine: " + look;
    }

    @Command(
            description =
                    "Shows one push, its state at each consumer, and its body. JSON has the exact bytes, in Base64.")
    void get(
            @Mixin GatewayOptions gateway,
            @Parameters(paramLabel = "SEQ", description = "Its position.") String seq,
            @Option(names = "--no-body", description = "All but its body.") boolean noBody)
            throws IOException, InterruptedException {
        String otherwise = gateway.next("pushes list --id " + RequestParameters.quoted(seq));
        long position =
                gateway.number("SEQ", seq, "a position such as 4711; by the platform's identifier: " + otherwise);
        gateway.show(gateway.client().get("/pushes/" + position, "seq"), (push, out) -> {
            print(push, new Facts(out, gateway.terminal()));
            if (push.has("deliveries")) {
                out.println();
                new DeliveryReport(out, gateway.terminal(), gateway::next).print(push.get("deliveries"), seq);
            }
            if (!noBody) {
                out.println();
                out.println(Shown.body(push));
            }
        });
    }

    private static void print(JsonNode push, Facts facts) {
        facts.push(push);
        JsonNode signature = push.path("signature");
        boolean matches = signature.path("matches").asBoolean();
        facts.say(
                "signature",
                matches ? Style.GOOD : Style.WARNING,
                matches
                        ? "matches, " + Shown.text(signature, "header") + ": " + Shown.text(signature, "value")
                        : "matches none of the secrets of now: " + Shown.text(signature, "value"));
        facts.say("content-type", Shown.text(push, "contentType"));
        facts.say("encoding", Shown.text(push, "contentEncoding"));
        facts.say("query", Shown.text(push, "query"));
    }
}
