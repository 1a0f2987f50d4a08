package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ManagementConfig;
import dev.holdfast.consumer.http.Certificate;
import dev.holdfast.gateway.TlsConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections to the management port with TLS that never say anything, and one that would shake hands for ever. */
@Timeout(300)
final class SilentHandshakesIT {
    private static final int CONNECTIONS = 6 * ManagementConfig.MOST_CONNECTIONS;
    private static final byte[] PROBE =
            "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path directory;

    private final List<Socket> silent = new ArrayList<>();

    @AfterEach
    void hangUp() throws Exception {
        for (Socket socket : silent) {
            socket.close();
        }
    }

    @Test
    void keepNoProbeOut() throws Exception {
        Certificate certificate = Certificate.make(directory);
        try (Installation installation = new Installation(directory)) {
            installation.configure("");
            installation.edit(
                    "management:\n",
                    "management:\n  tls: {certificate: \"" + certificate.chain() + "\", key: \"" + certificate.key()
                            + "\"}\n");
            Child gateway = installation.running();
            int port = gateway.management("/").getPort();
            for (int i = 0; i < CONNECTIONS; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            long start = System.nanoTime();

            try (TlsConnection probe = TlsConnection.to(port)) {
                assertThat(probe.answer(PROBE)).isEqualTo("HTTP/1.1 200 OK");
            }

            // By itself a port full of them ends after three seconds, and the next come: after six times that the probe
            // would.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(12));
            hangUp();
            assertThat(TlsConnection.isShakenAgain(port, PROBE))
                    .as("a second handshake on a connection")
                    .isFalse();
        }
    }
}
