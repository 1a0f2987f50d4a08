package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fill, and what is given up for new pushes then. Skipped where the machine does not let a test make such a disk. */
@Timeout(900)
final class DiskLadderIT {
    private static final int DISK_MIB = 192;
    private static final int RESERVE_MIB = 48;

    private static final int LARGE = 1_000_000;

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;
    private int large;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory.resolve("installation"));
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    private SmallDisk smallDisk() throws Exception {
        return smallDisk(DISK_MIB);
    }

    private SmallDisk smallDisk(int mebibytes) throws Exception {
        String obstacle = SmallDisk.obstacle(directory);
        assumeTrue(obstacle.isEmpty(), obstacle);
        return SmallDisk.mounted(directory.resolve("disk"), mebibytes);
    }

    private void configureReserve(Path journal, int setAsideMib) throws IOException {
        installation.configure("""
                journal:
                  directory: %s
                  reserve: %dMiB
                  set-aside: %dMiB
                """.formatted(journal, RESERVE_MIB, setAsideMib));
    }

    /** Files of 32 MiB, and a consumer that is down, whose pushes may be given up at once. */
    private Path configureLadder(SmallDisk disk, int reserveMib) throws IOException {
        Path journal = disk.path("data");
        installation.configure("""
                journal:
                  directory: %s
                  max-size: 256MiB
                  reserve: %dMiB
                  set-aside: 64MiB
                consumers:
                  - name: dead
                    events: ["*"]
                    verticle: http
                    options: {url: "http://127.0.0.1:1/"}
                    hold: 1ms
                """.formatted(journal, reserveMib));
        return journal;
    }

    private void push(Child gateway, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            assertThat(client.push(gateway, 0).statusCode()).isEqualTo(200);
        }
    }

    /** Returns the status. */
    private int pushLarge(Child gateway, int size) {
        return new LargePush(++large, size).sendTo(gateway.webhook());
    }

    private void pushLarge(Child gateway, int count, int size) {
        for (int i = 0; i < count; i++) {
            assertThat(pushLarge(gateway, size)).isEqualTo(200);
        }
    }

    private double step(Child gateway) throws Exception {
        return client.metric(gateway, "holdfast_disk_step");
    }

    private JsonObject readiness(Child gateway) throws Exception {
        return new JsonObject(client.get(gateway.management("/readyz")).body());
    }

    private void awaitNotice(Child gateway, String beginning) throws Exception {
        Await.until(
                beginning,
                () -> readiness(gateway).getJsonArray("notices").stream()
                        .anyMatch(notice -> notice.toString().startsWith(beginning)));
    }

    private void awaitStep(Child gateway, int step) throws Exception {
        Await.until("step " + step, () -> step(gateway) == step);
        assertThat(client.ready(gateway)).isFalse();
        awaitNotice(gateway, "step " + step + " of 4");
        gateway.awaitLog("step " + step + " of 4 on a disk that fills: found .* expected 128MiB");
    }

    @Test
    void aDiskThatFillsIsMetStepByStepAndPushesAreAcceptedUntilTheLast() throws Exception {
        try (SmallDisk disk = smallDisk(512)) {
            Path journal = configureLadder(disk, 128);
            try (Child gateway = installation.run()) {
                gateway.awaitReady();
                // Three whole files and a part of one.
                pushLarge(gateway, 100, LARGE);
                Path setAside = journal.resolve("set-aside");
                Await.until("space is set aside", () -> setAside.toFile().length() == 64 << 20);
                assertThat(client.ready(gateway)).isTrue();
                assertThat(step(gateway)).isZero();

                disk.fillUpTo(100);
                awaitStep(gateway, 1);
                push(gateway, 5);
                assertThat(setAside).exists();

                disk.fillFurther(20);
                awaitStep(gateway, 2);
                push(gateway, 5);
                assertThat(setAside).doesNotExist();
                assertThat(client.metric(gateway, "holdfast_consumer_given_up_total"))
                        .isZero();

                disk.fillFurther(20);
                awaitStep(gateway, 3);
                push(gateway, 5);
                double givenUp = client.metric(gateway, "holdfast_consumer_given_up_total");
                assertThat(givenUp).isBetween(20.0, 99.0);
                assertGivenUp(gateway, givenUp);

                // From here on there is nothing that may be given up.
                installation.edit("hold: 1ms", "hold: 14d");
                gateway.awaitLog("the changed configuration is in force");
                disk.fillCompletely();
                int status = 200;
                while (status == 200) {
                    status = pushLarge(gateway, LARGE);
                }
                assertThat(status).isEqualTo(503);
                Await.until("step 4", () -> step(gateway) == 4);

                disk.free();
                Duration back = Await.until(
                        "all is as before",
                        () -> client.ready(gateway)
                                && step(gateway) == 0
                                && setAside.toFile().length() == 64 << 20
                                && pushLarge(gateway, LARGE) == 200);
                System.out.printf(Locale.ROOT, "ladder: as before %d ms after the disk was freed%n", back.toMillis());
                assertThat(back).isLessThan(Duration.ofSeconds(10));
                gateway.awaitLog("the disk has room again");
                gateway.terminate();
            }
        }
    }

    private void assertGivenUp(Child gateway, double givenUp) throws Exception {
        JsonObject count = new JsonObject(
                        client.get(gateway.management("/api/v1/ledger")).body())
                .getJsonArray("counts")
                .getJsonObject(0);
        assertThat(count.getString("cause")).isEqualTo("given-up");
        assertThat(count.getString("consumer")).isEqualTo("dead");
        assertThat(count.getString("event")).isEqualTo("client.created");
        assertThat(count.getLong("from")).isEqualTo(1);
        assertThat(count.getDouble("count")).isEqualTo(givenUp);
        assertThat(count.getDouble("to")).isEqualTo(givenUp);
    }

    @Test
    void aDeadConsumerDoesNotFillTheDiskForEverybody() throws Exception {
        try (SmallDisk disk = smallDisk(256)) {
            File journal = configureLadder(disk, 128).toFile();
            try (Child gateway = installation.run()) {
                gateway.awaitReady();

                // 300 MB on a disk of 256 MiB, no faster than it is looked after.
                for (int i = 0; i < 60; i++) {
                    Await.until("there is room", () -> journal.getUsableSpace() > 20 * LARGE);
                    pushLarge(gateway, 1, 5 * LARGE);
                }

                assertThat(client.metric(gateway, "holdfast_consumer_given_up_total"))
                        .isGreaterThan(20);
                assertThat(client.metric(gateway, "holdfast_journal_failures_total"))
                        .isZero();
                gateway.terminate();
            }
        }
    }

    @Test
    void whatIsSetAsideIsGivenUpForAStartOnAFullDisk() throws Exception {
        try (SmallDisk disk = smallDisk()) {
            Path journal = disk.path("data");
            configureReserve(journal, 32);
            Path setAside = journal.resolve("set-aside");
            try (Child first = installation.run()) {
                first.awaitReady();
                Await.until("space is set aside", () -> setAside.toFile().length() == 32 << 20);
                first.terminate();
            }
            disk.fill();
            try (Child gateway = installation.run()) {
                gateway.awaitLog("32MiB that were set aside are given up for the start");
                gateway.awaitReady();
                assertThat(client.push(gateway, 0).statusCode()).isEqualTo(200);
                awaitNotice(gateway, "step 1 of 4");

                disk.free();
                Await.until("readiness is green", () -> client.ready(gateway));
                client.assertAllKept(gateway, journal);
            }
        }
    }
}
