package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.cli.terminal.Column;
import dev.holdfast.cli.terminal.Facts;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dead-letters}. */
@Command(
        name = "dead-letters",
        description = "Shows, retries or discards what consumers of a running gateway failed for good.")
final class DeadLettersCommand extends VerbGroup {
    @Command(description = "Lists dead letters by consumer, the newest of each first.")
    void list(@Mixin GatewayOptions gateway, @Mixin DeadLetterChoice choice, @Mixin Paging paging)
            throws IOException, InterruptedException {
        TextTable table = new TextTable(
                        Column.of("CONSUMER", Shown::text, "consumer"),
                        Column.of("SEQ", Shown::number, "seq"),
                        Column.of("EVENT", Shown::text, "event").styled(Style.ACCENT),
                        Column.of("ATTEMPTS", Shown::number, "attempts"),
                        new Column("LAST", letter -> Shown.time(letter.path("last"), "at")),
                        new Column("ERROR", letter -> Shown.text(letter.path("last"), "error")).styled(Style.BAD))
                .lastBelow();
        paging.list(gateway, "/dead-letters", "deadLetters", choice.fields(), table);
    }

    @Command(description = "Lists dead letters that were given up, and why, the newest first.")
    void discarded(@Mixin GatewayOptions gateway, @Mixin Paging paging) throws IOException, InterruptedException {
        TextTable table = new TextTable(
                        Column.of("AT", Shown::time, "at"),
                        Column.of("CONSUMER", Shown::text, "consumer"),
                        Column.of("SEQ", Shown::number, "seq"),
                        Column.of("EVENT", Shown::text, "event").styled(Style.ACCENT),
                        Column.of("REASON", Shown::text, "reason"))
                .lastBelow();
        paging.list(gateway, "/discards", "discards", new RequestParameters(), table);
    }

    @Command(description = "Shows one dead letter with its push's body. JSON has the exact bytes, in Base64.")
    void get(
            @Mixin GatewayOptions gateway,
            @Parameters(paramLabel = "CONSUMER", description = "Whose it is.") String consumer,
            @Parameters(paramLabel = "SEQ", description = "Its position.") String seq)
            throws IOException, InterruptedException {
        String path = "/dead-letters/" + gateway.consumer("CONSUMER", consumer) + "/"
                + gateway.number("SEQ", seq, "a position such as 4711: dead-letters get CONSUMER SEQ");
        gateway.show(gateway.client().get(path, "seq"), (letter, out) -> {
            Facts facts = new Facts(out, gateway.terminal());
            facts.say("consumer", Shown.text(letter, "consumer"));
            facts.push(letter);
            facts.say("attempts", String.valueOf(letter.path("attempts").asLong()));
            facts.say("first", failure(letter.path("first")));
            facts.say("last", failure(letter.path("last")));
            facts.say("content-type", Shown.text(letter, "contentType"));
            out.println();
            out.println(Shown.body(letter));
        });
    }

    private static String failure(JsonNode failure) {
        return Shown.time(failure, "at").text() + " " + Shown.text(failure, "error");
    }

    @Command(description = "Discards those that are chosen, for good.")
    int discard(
            @Mixin GatewayOptions gateway,
            @Mixin DeadLetterChoice choice,
            @Mixin Change change,
            @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; it is kept.")
                    String reason)
            throws IOException, InterruptedException {
        return change.discard(gateway, "/dead-letters/discard", choice, reason);
    }

    /**
     * Fails if something was named and isn't there, if nothing of it can be retried, and if the retry was followed and
     * was stopped, or something failed again.
     */
    @Command(description = "Brings dead letters back to their lanes, beside whatever waits there.")
    int retry(
            @Mixin GatewayOptions gateway,
            @Mixin DeadLetterChoice choice,
            @Mixin Change change,
            @Option(names = "--follow", description = "Wait until each is handled or has failed again.") boolean follow)
            throws IOException, InterruptedException {
        ManagementClient client = gateway.client();
        RequestParameters fields = change.fields(gateway, choice);
        JsonNode answer = client.post("/dead-letters/retry", fields, "retrying");
        if (follow && answer.has("replay")) {
            String id = answer.get("replay").asText();
            ((ObjectNode) answer).set("ended", new FollowedReplay(client, gateway.progress()).await(id));
        }
        long retrying = answer.get("retrying").asLong();
        boolean none = answer.get("staying").isEmpty() && change.isAmiss(retrying);
        String chosen = choice.fields().options();
        gateway.show(answer, (json, out) -> {
            if (none) {
                out.println("found no dead letter of" + chosen + "; those that are there: "
                        + gateway.next("dead-letters list"));
            } else {
                print(json, change.are(retrying), gateway.next("dead-letters list" + chosen), out);
            }
        });
        boolean stuck = retrying == 0 && !answer.get("staying").isEmpty();
        boolean failed = answer.has("ended") && !FollowedReplay.isSuccess(answer.get("ended"));
        return none || stuck || failed ? ExitStatus.FAILED : ExitStatus.DONE;
    }

    private static void print(JsonNode answer, String are, String list, PrintWriter out) {
        out.println(are + "retried"
                + (answer.get("retrying").asLong() == 0
                        ? ""
                        : ": " + answer.get("order").asText()));
        answer.get("staying").forEach(one -> out.println(staying(one)));
        if (answer.has("ended")) {
            JsonNode ended = answer.get("ended");
            long failed = ended.path("failed").asLong();
            out.println(ended.path("delivered").asLong() + " delivered, " + failed + " failed again"
                    + (ended.path("state").asText().equals("stopped") ? ", then it was stopped" : "")
                    + (failed > 0 ? ": " + list : ""));
        }
    }

    private static String staying(JsonNode some) {
        long count = some.get("count").asLong();
        return count + " of " + some.get("consumer").asText() + (count == 1 ? " stays: " : " stay: ")
                + some.get("because").asText();
    }
}
