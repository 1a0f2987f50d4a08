package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that stand still, or take their time, under load: no {@code 200} before the sync, and no memory without end. */
@Tag("campaign")
@Tag("slow-disk")
final class SlowDiskIT {
    private static final double RATE = 300;
    private static final Duration FROZEN = Campaign.LONG ? Duration.ofSeconds(30) : Duration.ofSeconds(2);
    private static final int DISK_MIB = 256;
    /** A heap of 256 MiB, and what Java and RocksDB have beside it. */
    private static final long MOST_RESIDENT_KIB = 900 * 1024;

    private static final int SLOW_MICROS = 150_000;
    private static final int SLOW_PUSHES = 300;

    @TempDir
    Path directory;

    @Test
    void aFrozenDiskCosts503AndNothingIsAcknowledgedBeforeItThaws() throws Exception {
        String obstacle = SmallDisk.obstacle(directory);
        assumeTrue(obstacle.isEmpty(), obstacle);
        Campaign.of("frozen-disk", 1, 10).run((number, random) -> frozen(directory.resolve("frozen" + number)));
    }

    private static Campaign.Findings frozen(Path home) throws Exception {
        try (SmallDisk disk = SmallDisk.mounted(home.resolve("disk"), DISK_MIB);
                Victim victim = new Victim(home, disk.path("data"), "  reserve: 0B\n  sync-timeout: 1s\n", "")) {
            Child gateway = victim.begin();
            Traffic traffic = victim.load(gateway, RATE, 500);
            traffic.awaitAnswers(200);
            disk.freeze();
            long frozenAt = System.nanoTime();
            List<String> complaints = new ArrayList<>();
            try {
                Await.until("the disk was frozen long enough", () -> System.nanoTime() - frozenAt > FROZEN.toNanos());
                traffic.sent().stream()
                        .filter(push -> push.due() > frozenAt && push.acknowledged())
                        .forEach(push -> complaints.add("answered 200 before the disk could have it: " + push));
            } finally {
                disk.thaw();
            }
            Duration back = Await.until(
                    "a push is accepted",
                    () -> victim.client()
                                    .send(gateway.webhook(), Installation.SECRET, "client.created", 0)
                                    .statusCode()
                            == 200);
            long resident = resident(gateway);
            if (resident > MOST_RESIDENT_KIB) {
                complaints.add("found " + resident + " KiB resident (expected: at most " + MOST_RESIDENT_KIB + ")");
            }
            return end(
                    victim,
                    gateway,
                    complaints,
                    back,
                    "back after " + back.toMillis() + " ms, " + resident + " KiB resident");
        }
    }

    @Test
    void aSlowDiskMakesAnswersSlowAndNoneWrong() throws Exception {
        assumeTrue(Strace.obstacle().isEmpty(), Strace.obstacle());
        Campaign.of("slow-disk", 1, 10).run((number, random) -> slow(directory.resolve("slow" + number)));
    }

    private static Campaign.Findings slow(Path home) throws Exception {
        try (Victim victim = new Victim(home)) {
            Child gateway = victim.begin(
                    Strace.inject(home.resolve("trace"), "fdatasync", List.of(), "delay_enter=" + SLOW_MICROS)
                            .toArray(String[]::new));
            Traffic traffic = victim.load(gateway, RATE, 500);
            traffic.awaitAnswers(SLOW_PUSHES);
            victim.unload();
            List<String> complaints = new ArrayList<>();
            victim.sent().stream()
                    .filter(push -> push.status() != 200 && push.status() != 503)
                    .forEach(push -> complaints.add("answered neither 200 nor 503: " + push));
            return end(
                    victim,
                    gateway,
                    complaints,
                    Duration.ZERO,
                    "p99 " + traffic.percentile(99).toMillis() + " ms");
        }
    }

    private static Campaign.Findings end(
            Victim victim, Child gateway, List<String> complaints, Duration back, String note) throws Exception {
        victim.unload();
        Await.until("every push is delivered", () -> victim.client().allDelivered(gateway));
        victim.terminate(gateway);
        complaints.addAll(victim.complaints());
        return new Campaign.Findings(complaints, victim.sent(), List.of(back), note);
    }

    /** The most memory that the process ever had, in KiB. */
    private static long resident(Child gateway) throws Exception {
        String line = Files.readAllLines(Path.of("/proc", Long.toString(gateway.pid()), "status")).stream()
                .filter(status -> status.startsWith("VmHWM:"))
                .findFirst()
                .orElseThrow();
        assertThat(line).endsWith("kB");
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
}
