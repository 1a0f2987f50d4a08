package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.cli.terminal.Progress;
import dev.holdfast.cli.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FollowedReplayTest {
    /** Nothing may stand behind the progress on its line, such as why the gateway did not answer. */
    @Test
    void theProgressIsGoneWhenTheGatewayIs() throws IOException {
        String running = "{\"replays\":[{\"id\":\"x\",\"of\":\"pushes\",\"state\":\"running\",\"from\":1,\"to\":2}]}";
        StringWriter err = new StringWriter();
        Progress progress = new Progress(new PrintWriter(err, true), new Terminal(Map.of("COLUMNS", "80"), true));
        HttpServer gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gateway.createContext("/", exchange -> {
            exchange.sendResponseHeaders(err.toString().isEmpty() ? 200 : 503, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write((err.toString().isEmpty() ? running : "away").getBytes(UTF_8));
            }
        });
        gateway.start();
        try {
            URI address = URI.create("http://127.0.0.1:" + gateway.getAddress().getPort());
            FollowedReplay followed = new FollowedReplay(new ManagementClient(address, null, null), progress);
            assertThatThrownBy(() -> followed.await("x")).isInstanceOf(IOException.class);
            assertThat(err.toString()).contains("replay x is running").endsWith("\r\u001b[K");
        } finally {
            gateway.stop(0);
        }
    }

    private static String line(String replay) throws JsonProcessingException {
        return FollowedReplay.line(new JsonMapper().readTree(replay));
    }

    @Test
    void aReplaySaysHowFarItsLastConsumerHasCome() throws JsonProcessingException {
        assertThat(line("""
                        {"id": "x", "of": "pushes", "state": "running", "from": 1, "to": 100, "delivered": 59, "failed": 1,
                         "consumers": [{"name": "mine", "next": 41, "done": false}, {"name": "done", "next": 1, "done": true}]}""")).isEqualTo("replay x is running, 40 %: 59 delivered, 1 failed");
    }

    @Test
    void aRetryOfDeadLettersTellsNoPercentageOfPositionsAndNamesWhomItWaitsFor() throws JsonProcessingException {
        assertThat(line("""
                        {"id": "x", "of": "dead-letters", "state": "waiting", "from": 7, "to": 8, "delivered": 1, "failed": 0,
                         "consumers": [{"name": "mine", "next": 7, "done": false}], "awaited": ["mine", "yours"]}""")).isEqualTo("retry x is waiting for mine, yours: 1 delivered, 0 failed");
    }
}
