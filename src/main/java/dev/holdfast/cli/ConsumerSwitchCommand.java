package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code consumers pause} and {@code consumers resume}. */
@Command
final class ConsumerSwitchCommand extends GatewayCommand {
    private final String action;

    @Parameters(paramLabel = "NAME", description = "Its name.")
    private String name = "";

    /** @param action the last part of its path in the API */
    ConsumerSwitchCommand(CliEnvironment cli, String action) {
        super(cli);
        this.action = action;
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.post("/consumers/" + pathPart("NAME", name, CONSUMER) + "/" + action, Map.of(), "name");
    }

    @Override
    void print(JsonNode consumer, PrintWriter out) {
        String state = Shown.text(consumer, "state");
        out.println(Shown.text(consumer, "name") + " is " + terminal().paint(ConsumerView.style(state), state)
                + (consumer.path("lag").asLong() > 0
                        ? ", " + consumer.get("lag").asLong() + " behind"
                        : ""));
    }
}
