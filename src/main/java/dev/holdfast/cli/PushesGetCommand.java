package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pushes get}. */
@Command(
        name = "get",
        description =
                "Shows one push, its way through each consumer, and its body. JSON has the exact bytes, in Base64.")
final class PushesGetCommand extends GatewayCommand {
    @Parameters(paramLabel = "SEQ", description = "Its position.")
    private String seq = "";

    @Option(names = "--no-body", description = "All but its body.")
    private boolean noBody;

    PushesGetCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get(
                "/pushes/"
                        + number(
                                "SEQ",
                                seq,
                                "a position such as 4711; by the platform's identifier: "
                                        + next("pushes list --id " + RequestParameters.quoted(seq))),
                "seq");
    }

    @Override
    void print(JsonNode push, PrintWriter out) throws IOException {
        Facts facts = new Facts(out, terminal());
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
        if (push.has("way")) {
            out.println();
            new PushWayReport(out, terminal(), this::next).print(push.get("way"), seq);
        }
        if (!noBody) {
            out.println();
            out.println(Shown.body(push));
        }
    }
}
