package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts the power of the disk under load ({@code -Dholdfast.cuts=N}): what a {@code 200} promises. The gateway is stopped
 * first, so that it acknowledges nothing after the cut. Skipped where the machine lets no test make such a disk.
 */
@Timeout(600)
final class PowerCutIT {
    private static final int CUTS = Integer.getInteger("holdfast.cuts", 3);
    private static final double RATE = 2000;

    @TempDir
    Path directory;

    private final SplittableRandom random = new SplittableRandom();
    private final List<SentPush> sent = new ArrayList<>();
    private CuttableDisk disk;
    private Vertx vertx;

    @BeforeEach
    void start() throws IOException {
        String obstacle = CuttableDisk.obstacle(directory.resolve("trial"));
        assumeTrue(obstacle.isEmpty(), obstacle);
        disk = CuttableDisk.make(directory.resolve("disk"));
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() throws IOException {
        if (vertx != null) {
            vertx.close().await();
            disk.close();
        }
    }

    @Test
    void whatWasAnswered200SurvivesPowerCuts() throws Exception {
        try (Installation installation = new Installation(directory.resolve("installation"))) {
            installation.configure("journal:\n  directory: " + disk.path("data") + "\n  reserve: 0B\n");
            for (int cut = 0; cut < CUTS; cut++) {
                try (Child gateway = installation.run()) {
                    cutPowerUnderLoad(gateway, Installation.SECRET);
                }
            }
        }

        Evidence evidence = new Evidence(sent, KeptPush.all(disk.path("data")), List.of());
        long acknowledged = sent.stream().filter(SentPush::acknowledged).count();
        System.out.printf(
                Locale.ROOT,
                "%d power cuts: %d pushes sent, %d answered 200, %d kept%n",
                CUTS,
                sent.size(),
                acknowledged,
                evidence.kept().size());
        assertThat(evidence.journalComplaints()).isEmpty();
        assertThat(acknowledged).isGreaterThan(500L * CUTS);
    }

    @Test
    void aServerThatNeverSyncsIsCaught() throws Exception {
        Path file = disk.path("pushes");
        List<String> command = List.of(
                Installation.java(),
                "-cp",
                System.getProperty("java.class.path"),
                UnsyncedServer.class.getName(),
                file.toString());
        try (Child server = Child.start(directory, Map.of(), command)) {
            cutPowerUnderLoad(server, "any");
        }

        Evidence evidence = new Evidence(sent, UnsyncedServer.kept(file), List.of());
        assertThat(evidence.journalComplaints())
                .isNotEmpty()
                .allSatisfy(complaint -> assertThat(complaint).startsWith("answered 200, but not kept"));
    }

    private void cutPowerUnderLoad(Child receiver, String secret) throws Exception {
        receiver.awaitReady();
        Traffic traffic = Traffic.start(vertx, receiver.webhook(), secret, RATE, random.nextInt(0, 4000));
        traffic.awaitAnswers(random.nextInt(1000, 4000));
        receiver.signal("STOP");
        disk.cutPower();
        receiver.kill();
        traffic.stop();
        sent.addAll(traffic.sent());
        disk.restorePower();
    }
}
