package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code quarantine get}. */
@Command(
        name = "get",
        description = "Shows one quarantined request with its headers and body. JSON has the exact bytes, in Base64.")
final class QuarantineGetCommand extends GatewayCommand {
    @Parameters(paramLabel = "ID", description = "Its identifier.")
    private long id;

    QuarantineGetCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get("/quarantine/" + id);
    }

    @Override
    void print(JsonNode request, PrintWriter out) throws IOException {
        out.println(QuarantineListCommand.shown(request) + " query="
                + Printable.line(request.get("query").asText()));
        request.get("headers")
                .forEach(header -> out.println(Printable.line(
                        header.get("name").asText() + ": " + header.get("value").asText())));
        out.println();
        out.println(Printable.text(new String(request.get("body").binaryValue(), StandardCharsets.UTF_8)));
    }
}
