package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ManagementConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who has many connections to the management port. */
@Timeout(60)
class ManagementPortTest {
    @TempDir
    private Path directory;

    @Test
    void keepsNeitherProbesOutNorAWatcher() {
        List<RawConnection> many = new ArrayList<>();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory);
                TapStream tap = TapStream.open(gateway, "")) {
            for (int i = 0; i < ManagementConfig.MOST_CONNECTIONS; i++) {
                RawConnection connection = new RawConnection(gateway.gateway().managementPort());
                many.add(connection);
                assertThat(connection
                                .send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .answer()
                                .status())
                        .isEqualTo(200);
            }

            assertThat(gateway.management("/readyz").status()).isEqualTo(200);

            assertThat(many.get(0).isClosed()).isTrue();
            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
            assertThat(tap.next().data().getString("event")).isEqualTo("client.created");
        } finally {
            many.forEach(RawConnection::close);
        }
    }
}
