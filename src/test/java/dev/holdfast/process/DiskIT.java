package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fail. Skipped where the machine does not let a test make such a disk. */
@Timeout(900)
final class DiskIT {
    private static final String EVENT = "conversation.created";
    private static final int DISK_MIB = 192;
    private static final int LEFT_MIB = 24;
    /** More than is left, so that readiness turns red while pushes are still accepted. */
    private static final int RESERVE_MIB = 48;

    private static final int PADDING = 100_000;
    private static final int MOST_PUSHES = 5000;
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

    private HttpResponse<String> push(Child gateway, int padding) throws Exception {
        return client.send(gateway.webhook(), Installation.SECRET, EVENT, padding);
    }

    private boolean ready(Child gateway) throws Exception {
        return client.get(gateway.management("/readyz")).statusCode() == 200;
    }

    /** Pushes until something else than 200 comes, and returns that. */
    private HttpResponse<String> pushUntilRefused(Child gateway, int padding) throws Exception {
        for (int i = 0; i < MOST_PUSHES; i++) {
            HttpResponse<String> answer = push(gateway, padding);
            if (answer.statusCode() != 200) {
                return answer;
            }
        }
        throw new AssertionError(MOST_PUSHES + " pushes were all answered 200 (expected: a refusal before)");
    }

    private static void stop(Child gateway) throws Exception {
        gateway.signal("TERM");
        assertThat(gateway.awaitExit()).isZero();
    }

    private void assertAllKept(Child gateway, Path journal) throws Exception {
        stop(gateway);
        assertThat(new Evidence(client.sent(), KeptPush.all(journal), List.of()).journalComplaints())
                .isEmpty();
    }

    @Test
    void aFullDiskCosts503AndTheGatewayComesBackByItself() throws Exception {
        try (SmallDisk disk = smallDisk()) {
            Path journal = disk.path("data");
            installation.configure("journal:\n  directory: " + journal + "\n  reserve: " + RESERVE_MIB + "MiB\n");
            try (Child gateway = installation.run()) {
                gateway.awaitReady();
                assertThat(push(gateway, PADDING).statusCode()).isEqualTo(200);
                assertThat(ready(gateway)).isTrue();

                disk.fillUpTo(LEFT_MIB);
                assertThat(ready(gateway)).as("ready below the reserve").isFalse();
                assertThat(push(gateway, PADDING).statusCode()).isEqualTo(200);
                HttpResponse<String> refused = pushUntilRefused(gateway, PADDING);
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.headers().firstValue("Retry-After")).isPresent();
                assertThat(ready(gateway)).isFalse();

                disk.free();
                Duration back = Await.until(
                        "a push is accepted", () -> push(gateway, PADDING).statusCode() == 200);
                System.out.printf(Locale.ROOT, "full disk freed: accepting again after %d ms%n", back.toMillis());
                assertThat(back).isLessThan(SOON);
                Await.until("readiness is green", () -> ready(gateway));
                assertAllKept(gateway, journal);
            }
        }
    }

    @Test
    void aFullDiskAtTheStartIsWaitedForWithThePortClosed() throws Exception {
        try (SmallDisk disk = smallDisk()) {
            Path journal = disk.path("data");
            installation.configure("journal:\n  directory: " + journal + "\n");
            disk.fill();
            String waits = "not accepting pushes, the port is closed: .*No space left on device";
            try (Child stopped = installation.run();
                    Child gateway = installation.run()) {
                stopped.awaitLog(waits);
                stop(stopped);
                gateway.awaitLog(waits);
                assertThat(gateway.err().text()).doesNotContain("accepting pushes on");

                disk.free();
                gateway.awaitReady();
                assertThat(push(gateway, 0).statusCode()).isEqualTo(200);
                assertAllKept(gateway, journal);
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
                stop(gateway);
            }
        }
    }

    @Test
    void afterAFailedSyncNothingIsAcknowledgedUntilTheJournalIsOpenAgain() throws Exception {
        Path trace = directory.resolve("trace");
        assumeTrue(canInjectFaults(), "strace can't trace here (expected: the package strace, and ptrace permitted)");
        installation.configure("");
        // -D: the gateway is this process's child, and the tracer a bystander
        List<String> strace = List.of(
                "strace",
                "-D",
                "-f",
                "--seccomp-bpf",
                "-o",
                trace.toString(),
                "-e",
                "trace=fdatasync",
                "-e",
                "inject=fdatasync:error=EIO:when=40");
        Child gateway = installation.startUnder(strace, "run");
        gateway.awaitReady();

        HttpResponse<String> refused = pushUntilRefused(gateway, 0);
        assertThat(refused.statusCode()).isEqualTo(503);
        Duration back = Await.until("a push is accepted", () -> push(gateway, 0).statusCode() == 200);
        gateway.awaitLog("the journal can't store: .*; it goes on in a new segment");
        gateway.awaitLog("the journal can be written again");
        System.out.printf(Locale.ROOT, "failed sync: accepting again after %d ms%n", back.toMillis());
        assertThat(back).isLessThan(SOON);
        assertAllKept(gateway, installation.path("data"));
    }

    private static boolean canInjectFaults() throws InterruptedException {
        try {
            Process trial = new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-e", "trace=fdatasync", "true")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return trial.waitFor(30, TimeUnit.SECONDS) && trial.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
