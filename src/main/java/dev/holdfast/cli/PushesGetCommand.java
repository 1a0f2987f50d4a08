package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pushes get}. */
@Command(name = "get", description = "Shows one push with its body. JSON has the exact bytes, in Base64.")
final class PushesGetCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private ManagementAddress gateway = new ManagementAddress();

    @Parameters(paramLabel = "SEQ", description = "Its position.")
    private long seq;

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private Form output = Form.text;

    PushesGetCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        JsonNode push = gateway.client(surroundings.environment())
                .get("/api/pushes/" + seq)
                .json();
        if (push.has("error")) {
            throw new IOException(push.get("error").asText());
        }
        if (output == Form.json) {
            surroundings.out().println(push);
        } else {
            surroundings.out().println(PushesListCommand.line(push));
            surroundings.out().println(new String(push.get("body").binaryValue(), StandardCharsets.UTF_8));
        }
        return HoldfastCommand.DONE;
    }
}
