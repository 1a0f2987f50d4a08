package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code pushes get}. */
@Command(name = "get", description = "Shows one push with its body. JSON has the exact bytes, in Base64.")
final class PushesGetCommand extends GatewayCommand {
    @Parameters(paramLabel = "SEQ", description = "Its position.")
    private long seq;

    PushesGetCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get("/pushes/" + seq);
    }

    @Override
    void print(JsonNode push, PrintWriter out) throws IOException {
        out.println(PushesListCommand.shown(push));
        out.println("content-type=" + shown(push, "contentType") + " content-encoding=" + shown(push, "contentEncoding")
                + " query=" + shown(push, "query"));
        out.println(Printable.text(new String(push.get("body").binaryValue(), StandardCharsets.UTF_8)));
    }

    private static String shown(JsonNode push, String field) {
        return Printable.line(push.get(field).asText());
    }
}
