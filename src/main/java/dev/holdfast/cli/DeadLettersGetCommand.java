package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code dead-letters get}. */
@Command(name = "get", description = "Shows one dead letter with its push's body. JSON has the exact bytes, in Base64.")
final class DeadLettersGetCommand extends GatewayCommand {
    @Parameters(index = "0", paramLabel = "CONSUMER", description = "Whose it is.")
    private String consumer = "";

    @Parameters(index = "1", paramLabel = "SEQ", description = "Its position.")
    private String seq = "";

    DeadLettersGetCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get(
                "/dead-letters/" + pathPart("CONSUMER", consumer, CONSUMER) + "/"
                        + number("SEQ", seq, "a position such as 4711: dead-letters get CONSUMER SEQ"),
                "seq");
    }

    @Override
    void print(JsonNode letter, PrintWriter out) throws IOException {
        Facts facts = new Facts(out, terminal());
        facts.say("consumer", Shown.text(letter, "consumer"));
        facts.push(letter);
        facts.say("attempts", String.valueOf(letter.path("attempts").asLong()));
        facts.say("first", failure(letter.path("first")));
        facts.say("last", failure(letter.path("last")));
        facts.say("content-type", Shown.text(letter, "contentType"));
        out.println();
        out.println(Shown.body(letter));
    }

    private static String failure(JsonNode failure) {
        return Shown.time(failure, "at").text() + " " + Shown.text(failure, "error");
    }
}
