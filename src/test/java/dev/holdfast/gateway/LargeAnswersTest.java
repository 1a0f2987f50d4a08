package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who asks for many large answers, and doesn't read them. */
@Timeout(120)
class LargeAnswersTest {
    private static final int READERS = 100;

    @TempDir
    private Path directory;

    @Test
    void thoseThatNobodyReadsTakeNoMemoryFromPushes() {
        byte[] large = bytes("{\"event\":\"client.created\",\"text\":\"" + "x".repeat(8_000_000) + "\"}");
        List<RawConnection> readers = new ArrayList<>();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            assertThat(gateway.push(large).status()).isEqualTo(200);

            for (int i = 0; i < READERS; i++) {
                RawConnection reader = new RawConnection(gateway.gateway().managementPort());
                readers.add(reader.send("GET /api/v1/pushes/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            }

            assertThat(gateway.management("/readyz").status()).isEqualTo(200);
            large[large.length - 3] = 'y';
            assertThat(gateway.push(large).status()).isEqualTo(200);

            readers.forEach(RawConnection::close);
            assertThat(gateway.management("/api/v1/pushes/2").status()).isEqualTo(200);
        } finally {
            readers.forEach(RawConnection::close);
        }
    }
}
