package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ManagementClientTest {
    @Test
    void aGatewayThatIsAtItForTooLongIsNotSaidToBeAbsent() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort());
            ManagementClient client = new ManagementClient(address, null, null, Duration.ofMillis(200));

            assertThatThrownBy(() -> client.post("/dead-letters/discard", Map.of("all", "true"), "discarded"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("found no answer at " + address + " within 200ms: the gateway may still be at it");
        }
    }
}
