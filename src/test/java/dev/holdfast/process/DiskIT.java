package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full, or stand still. Skipped where the machine does not let a test make such a disk. */
@Tag("campaign")
@Tag("disk-full")
final class DiskIT {
    private static final int DISK_MIB = 192;
    private static final int LEFT_MIB = 24;
    /** More than is left, so that readiness turns red while pushes are still accepted. */
    private static final int RESERVE_MIB = 48;

    private static final int PADDING = 100_000;
    private static final Duration SOON = Duration.ofSeconds(15);

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory.resolve("installation"));
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    private SmallDisk smallDisk() throws Exception {
        String obstacle = SmallDisk.obstacle(directory);
        assumeTrue(obstacle.isEmpty(), obstacle);
        return SmallDisk.mounted(directory.resolve("disk"), DISK_MIB);
    }

    @Test
    void aFullDiskCosts503AndTheGatewayComesBackByItself() throws Exception {
        String obstacle = SmallDisk.obstacle(directory);
        assumeTrue(obstacle.isEmpty(), obstacle);
        Campaign.of("disk-full", 1, 20).run((number, random) -> fullAndFreed(directory.resolve("trial" + number)));
    }

    private static Campaign.Findings fullAndFreed(Path home) throws Exception {
        try (SmallDisk disk = SmallDisk.mounted(home.resolve("disk"), DISK_MIB);
                Victim victim = new Victim(home, disk.path("data"), "  reserve: " + RESERVE_MIB + "MiB\n", "")) {
            PushClient client = victim.client();
            Child gateway = victim.begin();
            assertThat(client.push(gateway, PADDING).statusCode()).isEqualTo(200);
            assertThat(client.ready(gateway)).isTrue();
            // What every consumer has had is removed early, rightly, and could not be asked for afterwards.
            assertThat(tellArchive(client, gateway, "pause")).isEqualTo(200);

            disk.fillUpTo(LEFT_MIB);
            assertThat(client.ready(gateway)).as("ready below the reserve").isFalse();
            assertThat(client.push(gateway, PADDING).statusCode()).isEqualTo(200);
            HttpResponse<String> refused = client.pushUntilRefused(gateway, PADDING);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(client.ready(gateway)).isFalse();

            disk.free();
            Duration back = Await.until(
                    "a push is accepted", () -> client.push(gateway, PADDING).statusCode() == 200);
            Await.until("readiness is green", () -> client.ready(gateway));
            assertThat(back).isLessThan(SOON);
            Await.until("the archive goes on", () -> tellArchive(client, gateway, "resume") == 200);
            Await.until("every push is delivered", () -> client.allDelivered(gateway));
            victim.terminate(gateway);
            return new Campaign.Findings(
                    victim.complaints(),
                    victim.sent(),
                    List.of(back),
                    "accepting again after " + back.toMillis() + " ms");
        }
    }

    private static int tellArchive(PushClient client, Child gateway, String what) throws Exception {
        return client.post(gateway.management("/api/v1/consumers/archive/" + what), "{}")
                .statusCode();
    }

    @Test
    void aFullDiskAtTheStartIsWaitedForWithThePortClosed() throws Exception {
        try (SmallDisk disk = smallDisk()) {
            Path journal = disk.path("data");
            installation.configure("journal:\n  directory: " + journal + "\n");
            disk.fill();
            String waits = "not accepting pushes, the port is closed: .*No space left on device";
            try (Child stopped = installation.run()) {
                stopped.awaitLog(waits);
                stopped.terminate();
            }
            // Not beside the other one, which may have a part of the directory for a moment: it would be refused then,
            // rightly.
            try (Child gateway = installation.run()) {
                gateway.awaitLog(waits);
                assertThat(gateway.err().text()).doesNotContain("accepting pushes on");

                disk.free();
                gateway.awaitReady();
                assertThat(client.push(gateway, PADDING).statusCode()).isEqualTo(200);
                assertThat(client.metric(gateway, "holdfast_store_open")).isEqualTo(1);
                client.assertAllKept(gateway, journal);
            }
        }
    }

    @Test
    void aFrozenDiskCosts503AndWhatItKeepsAfterAllIsKept() throws Exception {
        try (SmallDisk disk = smallDisk()) {
            Path journal = disk.path("data");
            installation.configure("journal:\n  directory: " + journal + "\n  sync-timeout: 1s\n");
            LargePush push = new LargePush(1, 10_000);
            try (Child gateway = installation.run()) {
                gateway.awaitReady();

                disk.freeze();
                try {
                    assertThat(push.sendTo(gateway.webhook())).isEqualTo(503);
                } finally {
                    disk.thaw();
                }

                Await.until("the same is a duplicate", () -> push.sendTo(gateway.webhook()) == 200);
                assertThat(client.metric(gateway, "holdfast_receiver_duplicates_total"))
                        .isEqualTo(1);
                assertThat(client.metric(gateway, "holdfast_receiver_stored_late_total"))
                        .isEqualTo(1);
                gateway.terminate();
            }
        }
    }
}
