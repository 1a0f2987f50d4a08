package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code consumers list}. */
@Command(name = "list", description = "Shows how it stands with each consumer, by name.")
final class ConsumersListCommand extends GatewayCommand {
    ConsumersListCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get("/consumers", "consumers");
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        ConsumerView.table(answer.get("consumers")).print(out, terminal());
    }
}
