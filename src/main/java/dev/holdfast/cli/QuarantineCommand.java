package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.cli.terminal.Column;
import dev.holdfast.cli.terminal.Facts;
import dev.holdfast.cli.terminal.Progress;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.TextTable;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code quarantine}. */
@Command(
        name = "quarantine",
        description =
                "Shows what a running gateway refused because its signature did not match, checks it again or discards it.")
final class QuarantineCommand extends VerbGroup {
    private static final List<String> COUNTS = List.of("pushes", "duplicates", "wrong", "unknownEndpoint", "failed");

    @Command(
            description = {
                "Lists quarantined requests, the newest first.",
                "EVENT? and PUSH ID? are what the body says: nobody verified it."
            })
    void list(@Mixin GatewayOptions gateway, @Mixin QuarantineChoice choice, @Mixin Paging paging)
            throws IOException, InterruptedException {
        TextTable table = new TextTable(
                        Column.of("ID", Shown::number, "id"),
                        Column.of("RECEIVED", Shown::time, "receivedAt"),
                        Column.of("ENDPOINT", Shown::text, "endpoint"),
                        Column.of("CAUSE", Shown::text, "cause").styled(Style.WARNING),
                        Column.of("FROM", Shown::text, "address"),
                        Column.of("SIZE", Shown::bytes, "bytes"),
                        Column.of("EVENT?", Shown::text, "event").styled(Style.ACCENT),
                        Column.of("PUSH ID?", Shown::text, "pushId"))
                .dropping("SIZE", "FROM", "ENDPOINT");
        paging.list(gateway, "/quarantine", "requests", choice.fields(), table);
    }

    @Command(
            description =
                    "Shows one quarantined request with its headers and body. JSON has the exact bytes, in Base64.")
    void get(@Mixin GatewayOptions gateway, @Parameters(paramLabel = "ID", description = "Its identifier.") String id)
            throws IOException, InterruptedException {
        String otherwise = gateway.next("quarantine list --push-id " + RequestParameters.quoted(id));
        long number = gateway.number("ID", id, "a number such as 17; by what a body says: " + otherwise);
        gateway.show(gateway.client().get("/quarantine/" + number, "headers"), (request, out) -> {
            print(request, new Facts(out, gateway.terminal()));
            out.println();
            request.get("headers")
                    .forEach(header -> out.println(Printable.line(header.get("name")
                                    .asText() + ": " + header.get("value").asText())));
            out.println();
            out.println(Shown.body(request));
        });
    }

    private static void print(JsonNode request, Facts facts) {
        facts.say("id", Shown.text(request, "id"));
        facts.say("received", Shown.text(request, "receivedAt"));
        facts.say("endpoint", Shown.text(request, "endpoint"));
        facts.say("cause", Style.WARNING, Shown.text(request, "cause"));
        facts.say("event?", Style.ACCENT, Shown.text(request, "event"));
        facts.say("push id?", Shown.text(request, "pushId"));
        facts.say("from", Shown.text(request, "address"));
        facts.say("size", Shown.bytes(request.path("bytes").asLong()));
        facts.say("query", Shown.text(request, "query"));
    }

    @Command(description = "Discards those that are chosen, for good.")
    int discard(
            @Mixin GatewayOptions gateway,
            @Mixin QuarantineChoice choice,
            @Mixin Change change,
            @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; it is kept.")
                    String reason)
            throws IOException, InterruptedException {
        return change.discard(gateway, "/quarantine/discard", choice, reason);
    }

    /**
     * Asks again where the gateway stopped. Fails if something could not be stored, if nothing matched, or if nothing
     * of what was named was there.
     */
    @Command(
            description =
                    "Checks quarantined requests with the secrets of now, and makes late pushes of those that match.")
    int verify(@Mixin GatewayOptions gateway, @Mixin QuarantineChoice choice, @Mixin Change change)
            throws IOException, InterruptedException {
        ManagementClient client = gateway.client();
        RequestParameters fields = change.fields(gateway, choice);
        GatewayOptions.Page page = () -> client.post("/quarantine/verify", fields, "pushes");
        Output.Words words = (sum, out) -> {
            if (change.isAmiss(found(sum))) {
                out.println("found nothing of" + choice.fields().options());
            } else {
                print(sum, change, out);
            }
        };
        Progress progress = gateway.progress();
        ObjectNode sum = (ObjectNode) page.ask();
        while (sum.has("next")) {
            progress.show("checked up to " + sum.get("next").asLong());
            fields.put("from", sum.get("next").asLong());
            add(sum, gateway.more(sum, words, progress, page));
        }
        progress.end();
        gateway.show(sum, words);
        long gone = count(sum, "pushes") + count(sum, "duplicates");
        boolean noneOfAll = gone == 0 && found(sum) > 0;
        return count(sum, "failed") > 0 || noneOfAll || change.isAmiss(gone) ? ExitStatus.FAILED : ExitStatus.DONE;
    }

    private static long found(JsonNode sum) {
        return COUNTS.stream().mapToLong(name -> count(sum, name)).sum();
    }

    private static void add(ObjectNode sum, JsonNode more) {
        COUNTS.forEach(name -> sum.put(name, count(sum, name) + count(more, name)));
        sum.remove("next");
        if (more.has("next")) {
            sum.set("next", more.get("next"));
        }
    }

    private static void print(JsonNode sum, Change change, PrintWriter out) {
        long pushes = count(sum, "pushes");
        out.println(change.are(pushes) + (pushes == 1 ? "a push" : "pushes")
                + " now, in the order of their arrival, marked late");
        say(sum, change, out, "duplicates", "in the journal already, and gone from the quarantine");
        staying(sum, change, out, "wrong", "no match for the secrets of now");
        staying(sum, change, out, "unknownEndpoint", "of an endpoint that is not configured");
        staying(sum, change, out, "failed", "authentic and could not be stored at the moment, so try again");
    }

    private static void staying(JsonNode sum, Change change, PrintWriter out, String name, String why) {
        say(sum, change, out, name, why + (count(sum, name) == 1 ? ", and stays" : ", and stay"));
    }

    private static void say(JsonNode sum, Change change, PrintWriter out, String name, String what) {
        if (count(sum, name) > 0) {
            out.println(change.are(count(sum, name)) + what);
        }
    }

    private static long count(JsonNode answer, String name) {
        return answer.get(name).asLong();
    }
}
