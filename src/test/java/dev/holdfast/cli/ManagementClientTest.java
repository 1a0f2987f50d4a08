package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ManagementClientTest {
    @Test
    void aGatewayThatIsAtItForTooLongIsNotSaidToBeAbsent() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort());
            // Longer than it takes to connect, however busy the machine is.
            ManagementClient client = new ManagementClient(address, null, null).within(Duration.ofSeconds(3));

            assertThatThrownBy(() -> client.post("/dead-letters/discard", new RequestParameters(), "discarded"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("found no answer at " + address + " within 3s: the gateway may still be at it");
        }
    }

    @Test
    void aStreamEndsWhoseGatewayIsGoneWithoutAWord() throws Exception {
        String begun =
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n:\n\n\r\n";
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Socket> gateway = CompletableFuture.supplyAsync(() -> begin(server, begun));
            ManagementClient client = new ManagementClient(
                            URI.create("http://127.0.0.1:" + server.getLocalPort()), null, null)
                    .within(Duration.ofSeconds(3));

            try (BufferedReader lines = client.stream("/tap");
                    Socket open = gateway.join()) {
                assertThat(lines.readLine()).isEqualTo(":");
                assertThat(lines.readLine()).isEmpty();
                assertThat(open.isClosed()).isFalse();
                assertThat(CompletableFuture.supplyAsync(() -> isAtItsEnd(lines)))
                        .succeedsWithin(Duration.ofSeconds(30))
                        .isEqualTo(true);
            }
        }
    }

    private static Socket begin(ServerSocket server, String answer) {
        try {
            Socket socket = server.accept();
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isAtItsEnd(BufferedReader reader) {
        try {
            return reader.readLine() == null;
        } catch (IOException e) {
            return true;
        }
    }
}
