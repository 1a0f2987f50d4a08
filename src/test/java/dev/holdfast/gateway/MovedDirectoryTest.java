package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.push.Push;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The data directory goes away under a running gateway, and no write fails by that: nothing is answered 200 that is lost. */
@Timeout(60)
class MovedDirectoryTest {
    private static final String FAILURES = "holdfast_journal_failures_total";

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private GatewayUnderTest gateway;
    private Path data;
    private Path away;
    private int pushes;

    @BeforeEach
    void start() {
        gateway = GatewayUnderTest.start(
                new GatewaySettings().journal("max-size: 256MiB").consumer("everything", "*", deliveries), directory);
        data = directory.resolve("data");
        away = directory.resolve("away");
        assertThat(push()).isEqualTo(200);
        assertThat(gateway.management("/readyz").status()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private int push() {
        return gateway.push(envelope("client.created", ++pushes)).status();
    }

    private void isAway() {
        HttpAnswer ready = gateway.management("/readyz");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.body()).contains("\"storage\":false");
        for (int i = 0; i < 3; i++) {
            assertThat(push()).isEqualTo(503);
        }
    }

    @Test
    void noPushIsTakenUntilItIsBack() throws IOException {
        Files.move(data, away);
        isAway();

        Files.move(away, data);
        eventually(() -> assertThat(push()).isEqualTo(200));
        eventually(() -> assertThat(gateway.management("/readyz").status()).isEqualTo(200));
        eventually(() -> assertThat(deliveries.handled())
                .extracting(Push::seq)
                .contains(1L)
                .doesNotHaveDuplicates()
                .hasSize(2));
    }

    @Test
    void whatAConsumerHasNotHadItGetsWhenItIsBack() throws IOException {
        Deliveries lagging = new Deliveries();
        try (LogLines lines = LogLines.atWarn()) {
            Files.move(data, away);
            gateway.reconfigure(
                    new GatewaySettings()
                            .consumer("everything", "*", deliveries)
                            .consumer("lagging", "*", lagging, "start: earliest"),
                    directory);
            eventually(
                    () -> assertThat(lines.lines()).anyMatch(line -> line.contains("lagging: pushes can't be read")));
            Files.move(away, data);

            eventually(() -> assertThat(lagging.handledSeqs()).contains(1L));
            assertThat(lines.lines()).noneMatch(line -> line.contains("is damaged") || line.contains("missing"));
        }
    }

    @Test
    void nothingIsWrittenIntoAnotherOneInItsPlace() throws IOException {
        Files.move(data, away);
        Files.createDirectory(data);
        Files.createFile(data.resolve("lock"));
        isAway();
        double failures = gateway.metric(FAILURES);
        // It has tried to go on there.
        eventually(() -> assertThat(gateway.metric(FAILURES)).isGreaterThan(failures + 1));
        isAway();

        try (var found = Files.list(data)) {
            assertThat(found).noneMatch(file -> file.toString().contains(".segment"));
        }
    }

    @Test
    void aFileOfItThatIsDeletedIsNotWrittenToAnyMore() throws IOException {
        try (var segments = Files.newDirectoryStream(data, "*.segment")) {
            for (Path segment : segments) {
                Files.delete(segment);
            }
        }
        assertThat(push()).isEqualTo(503);
        eventually(() -> assertThat(push()).isEqualTo(200));
    }

    /** Pushes go on into the file before, which retention can't remove: nobody would know. */
    @Test
    void thatNoNewFileCanBeBegunIsANotice() throws IOException {
        Path lock = data.resolve("lock");
        Files.move(lock, directory.resolve("lock"));
        byte[] large = ("{\"event\":\"client.created\",\"a\":\"" + "x".repeat(7 << 20) + "0\"}").getBytes(UTF_8);
        eventually(() -> {
            large[large.length - 3]++;
            assertThat(gateway.push(large).status()).isEqualTo(200);
            assertThat(gateway.management("/readyz").body())
                    .contains(
                            "the journal can't begin a new segment after 00000000000000000001.segment, and goes on in that one: ");
        });
        assertThat(gateway.management("/api/v1/overview").body()).contains("Mend what it says, or the disk may fill.");

        Files.move(directory.resolve("lock"), lock);
        eventually(() -> {
            assertThat(push()).isEqualTo(200);
            assertThat(gateway.management("/readyz").body()).contains("\"notices\":[]");
        });
    }
}
