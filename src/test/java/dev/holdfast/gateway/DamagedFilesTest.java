package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
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
    void damagedDeadLettersKeepNoConsumerFromStarting() throws IOException {
        AtomicBoolean broken = new AtomicBoolean(true);
        deliveries.behave(push -> failed(push, broken.get()));
        try (GatewayUnderTest gateway = start()) {
            assertThat(gateway.push(envelope("client.created", "stuck", 1)).status())
                    .isEqualTo(200);
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_lanes_blocked"))
                    .isEqualTo(1));
            assertThat(gateway.push(large()).status()).isEqualTo(200);
            eventually(() ->
                    assertThat(gateway.metric("holdfast_consumer_dead_letters")).isEqualTo(1));
        }
        // What was in the log is in tables then.
        start().close();
        Path letters = largest(directory.resolve("data/store"));
        flip(letters, (int) Files.size(letters) / 2);
        broken.set(false);

        try (LogLines lines = LogLines.atWarn();
                GatewayUnderTest gateway = start()) {
            eventually(() -> assertThat(deliveries.handledSeqs()).contains(1L));
            assertThat(gateway.push(envelope("client.created", 3)).status()).isEqualTo(200);
            eventually(() -> assertThat(deliveries.handledSeqs()).contains(3L));
            assertThat(lines.text()).contains("everything: its dead letters can't be read");
        }
    }

    private static Future<?> failed(Push push, boolean broken) {
        if (!broken) {
            return Future.succeededFuture();
        }
        return Future.failedFuture(
                push.enterpriseToken().equals("stuck")
                        ? new IllegalStateException("not yet")
                        : new PermanentFailure("never"));
    }

    /** So long that the letter made of it lies in the largest file of all. */
    private static byte[] large() {
        byte[] bytes = new byte[300_000];
        new Random(1).nextBytes(bytes);
        return GatewayUnderTest.bytes(envelope("client.created", 2)
                .replace("}", ",\"x\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}"));
    }

    private static Path largest(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store)) {
            return files.max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
    }

    @Test
    void aDamagedStoreIsShownAndPushesAreStillTaken() throws IOException {
        fill(3);
        Files.delete(find("store/CURRENT"));

        try (GatewayUnderTest gateway = start()) {
            assertThat(gateway.push(envelope("client.created", 4)).status()).isEqualTo(200);
            eventually(() -> assertThat(deliveries.handled()).anyMatch(push -> push.seq() == 4));
            assertThat(gateway.management("/readyz").body())
                    .contains("\"undamaged\":false", "the store: it was damaged, is set aside as store.damaged-");
        }
    }
}
