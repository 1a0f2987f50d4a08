package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code token status}: how it stands with a running gateway's access token. */
@Command(
        name = "status",
        description = {
            "Shows the state of a running gateway's access token, never its value.",
            "Exit status 0 when there is a good one, else 1."
        })
final class TokenStatusCommand extends GatewayCommand {
    TokenStatusCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get("/token", "state");
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        out.println(TokenText.of(answer));
    }

    @Override
    int status(JsonNode answer) {
        return answer.has("expiresAt") ? ExitStatus.DONE : ExitStatus.FAILED;
    }
}
