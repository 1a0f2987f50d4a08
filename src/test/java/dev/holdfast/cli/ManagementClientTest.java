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
            // Longer than it takes to connect, however busy the machine is.
            ManagementClient client = new ManagementClient(address, null, null, Duration.ofSeconds(3));

            assertThatThrownBy(() -> client.post("/dead-letters/discard", Map.of("all", "true"), "discarded"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("found no answer at " + address + " within 3s: the gateway may still be at it");
        }
    }
}
