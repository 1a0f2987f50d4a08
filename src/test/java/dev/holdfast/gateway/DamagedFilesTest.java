package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was altered on the disk costs what it hit, keeps the gateway from nothing else, and is said. */
@Timeout(60)
class DamagedFilesTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    private GatewayUnderTest start() {
        return GatewayUnderTest.start(new GatewaySettings().consumer("everything", "*", deliveries), directory);
    }

    private void fill(int pushes) {
        try (GatewayUnderTest gateway = start()) {
            assertThat(gateway.management("/readyz").body()).contains("\"undamaged\":true", "\"notices\":[]");
            for (int n = 1; n <= pushes; n++) {
                assertThat(gateway.push(envelope("client.created", n)).status()).isEqualTo(200);
            }
            eventually(() -> assertThat(deliveries.handled()).hasSize(pushes));
        }
    }

    private Path find(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void aDamagedSegmentIsShownAndPushesAreStillTaken() throws IOException {
        fill(3);
        flip(find(".segment"), 200);

        try (GatewayUnderTest gateway = start()) {
            assertThat(gateway.push(envelope("client.created", 4)).status()).isEqualTo(200);
            eventually(() -> assertThat(deliveries.handled()).hasSize(4));
            // A sealed segment is not read through at the start: what is wrong with it shows when it is read.
            assertThat(gateway.management("/api/v1/pushes").status()).isEqualTo(200);
            HttpAnswer readiness = gateway.management("/readyz");
            assertThat(readiness.status()).isEqualTo(200);
            assertThat(readiness.body()).contains("\"undamaged\":false", "00000000000000000001.segment: ");
        }
    }

    @Test
    void aDamagedStoreIsShownAndPushesAreStillTaken() throws IOException {
        fill(3);
        Files.delete(find("store/CURRENT"));

        try (GatewayUnderTest gateway = start()) {
            assertThat(gateway.push(envelope("client.created", 4)).status()).isEqualTo(200);
            eventually(() -> assertThat(deliveries.handled()).anyMatch(push -> push.seq() == 4));
            assertThat(gateway.management("/readyz").body()).contains("\"undamaged\":false", "store.damaged-");
        }
    }
}
