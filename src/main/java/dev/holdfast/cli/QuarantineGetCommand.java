package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code quarantine get}. */
@Command(
        name = "get",
        description = "Shows one quarantined request with its headers and body. JSON has the exact bytes, in Base64.")
final class QuarantineGetCommand extends GatewayCommand {
    @Parameters(paramLabel = "ID", description = "Its identifier.")
    private String id = "";

    QuarantineGetCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get(
                "/quarantine/"
                        + number(
                                "ID",
                                id,
                                "a number such as 17; by what a body says: "
                                        + next("quarantine list --push-id " + RequestParameters.quoted(id))),
                "headers");
    }

    @Override
    void print(JsonNode request, PrintWriter out) throws IOException {
        Facts facts = new Facts(out, terminal());
        facts.say("id", Shown.text(request, "id"));
        facts.say("received", Shown.text(request, "receivedAt"));
        facts.say("endpoint", Shown.text(request, "endpoint"));
        facts.say("cause", Style.WARNING, Shown.text(request, "cause"));
        facts.say("event?", Style.ACCENT, Shown.text(request, "event"));
        facts.say("push id?", Shown.text(request, "pushId"));
        facts.say("from", Shown.text(request, "address"));
        facts.say("size", Shown.bytes(request.path("bytes").asLong()));
        facts.say("query", Shown.text(request, "query"));
        out.println();
        request.get("headers")
                .forEach(header -> out.println(Printable.line(
                        header.get("name").asText() + ": " + header.get("value").asText())));
        out.println();
        out.println(Shown.body(request));
    }
}
