package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.cli.terminal.OutputGoneException;
import dev.holdfast.logging.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tap}: a running gateway's pushes as it accepts them. */
@Command(
        name = "tap",
        description = {
            "Shows pushes as a running gateway accepts them, until Ctrl-C. What comes too fast is left out and counted: the gateway"
                    + " waits for nobody.",
            "Exit status 1 when the gateway ends it, or gives no sign of itself for two minutes."
        })
final class TapCommand implements Callable<Integer> {
    private static final JsonMapper JSON = new JsonMapper();

    @Mixin
    private GatewayOptions gateway;

    @Option(names = "--event", paramLabel = "PATTERN", description = "Those of an event, or of some: 'client.*'")
    private @Nullable String event;

    @Option(names = "--enterprise", paramLabel = "TOKEN", description = "Those of one enterprise.")
    private @Nullable String enterprise;

    @Option(names = "--endpoint", paramLabel = "NAME", description = "Those that came to one endpoint.")
    private @Nullable String endpoint;

    @Option(names = "--rate", paramLabel = "N", description = "So many a second at most, up to 10000. Default: 1000")
    private @Nullable Integer rate;

    @Option(names = "--body", description = "With their bodies.")
    private boolean body;

    @Override
    public Integer call() throws IOException, InterruptedException {
        RequestParameters choice = new RequestParameters()
                .put("event", event)
                .put("enterprise", enterprise)
                .put("endpoint", endpoint)
                .put("rate", rate)
                .put("body", body ? true : null);
        ManagementClient client = gateway.client();
        try (BufferedReader reader = client.stream("/tap" + choice.query())) {
            follow(reader);
        }
        throw new IOException(
                "the gateway at " + client.address() + " has ended the stream: it has stopped, or is lost");
    }

    /** Shows pushes until the stream ends, however it ends. */
    private void follow(BufferedReader reader) throws IOException {
        TapLines lines = new TapLines(gateway.out(), gateway.terminal(), gateway.progress());
        String name = "";
        try {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    show(lines, name, line.substring("data: ".length()));
                }
            }
        } catch (IOException e) {
            // The stream was cut off; the caller says so.
            return;
        }
    }

    private void show(TapLines lines, String name, String data) throws IOException {
        JsonNode json = JSON.readTree(data);
        if (gateway.isJson()) {
            gateway.out()
                    .println(
                            name.equals("dropped")
                                    ? "{\"dropped\":" + json.path("count").asLong() + "}"
                                    : Printable.json(data));
        } else if (name.equals("dropped")) {
            lines.dropped(json.path("count").asLong());
        } else {
            lines.push(json);
        }
        OutputGoneException.check(gateway.out());
    }
}
