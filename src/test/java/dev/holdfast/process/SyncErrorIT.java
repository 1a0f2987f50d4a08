package dev.holdfast.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Has the Nth system call on a segment fail, under load. What was under way may not be answered {@code 200}, nothing that was may be
 * missing, and pushes are accepted again without help.
 */
@Tag("campaign")
@Tag("sync-errors")
final class SyncErrorIT {
    private static final double RATE = 600;
    private static final int LARGEST_NUMBER = 200;
    private static final int ENOUGH_AFTERWARDS = 50;

    /** A call that fails. */
    enum Fault {
        SYNC("fdatasync", "EIO", ".segment"),
        WRITE("write", "ENOSPC", ".segment"),
        FIRST_SYNC("fdatasync", "EIO", ".segment.new"),
        NAMING("rename", "EIO", ".segment.new"),
        DIRECTORY_SYNC("fsync", "EIO", "");

        private final String call;
        private final String error;
        private final String suffix;

        Fault(String call, String error, String suffix) {
            this.call = call;
            this.error = error;
            this.suffix = suffix;
        }

        List<String> command(Path trace, Path data, int when) {
            Path file = suffix.isEmpty() ? data : data.resolve("00000000000000000001" + suffix);
            return Strace.inject(trace, call, List.of(file), "error=" + error + ":when=" + when);
        }
    }

    @TempDir
    Path directory;

    @BeforeAll
    static void canTrace() throws InterruptedException {
        assumeTrue(Strace.obstacle().isEmpty(), Strace.obstacle());
    }

    @Test
    void afterAFailedCallNothingIsLostAndPushesAreAcceptedAgain() throws Exception {
        int all = 2 * LARGEST_NUMBER + 3;
        Campaign.of("sync-errors", Fault.values().length, all).run((number, random) -> {
            Path home = directory.resolve("trial" + number);
            if (!Campaign.LONG) {
                return trial(home, null, Fault.values()[(number - 1) % 5], 1 + random.nextInt(20));
            }
            int place = (number - 1) % all;
            return place < 2 * LARGEST_NUMBER
                    ? trial(home, null, place % 2 == 0 ? Fault.SYNC : Fault.WRITE, 1 + place / 2)
                    : trial(home, null, Fault.values()[2 + place - 2 * LARGEST_NUMBER], 1);
        });
    }

    /** @param when how manieth call fails; of those while a segment is begun there is but one */
    static Campaign.Findings trial(Path home, @Nullable PlantedBug bug, Fault fault, int when) throws Exception {
        int nth = fault == Fault.SYNC || fault == Fault.WRITE ? when : 1;
        Path trace = home.resolve("trace");
        try (Victim victim = new Victim(home)) {
            if (bug != null) {
                bug.plantIn(victim.installation());
            }
            Child gateway =
                    victim.begin(fault.command(trace, victim.data(), nth).toArray(String[]::new));
            victim.load(gateway, RATE, 100);
            Await.until("the call fails", () -> Strace.injected(trace) > 0);
            Duration back = Await.until(
                    "a push is accepted",
                    () -> victim.client()
                                    .send(gateway.webhook(), Installation.SECRET, "client.created", 0)
                                    .statusCode()
                            == 200);
            victim.awaitAnswers(nth + ENOUGH_AFTERWARDS);
            victim.terminate(gateway);
            victim.finish();

            List<String> complaints = new ArrayList<>(victim.complaints());
            complaints.addAll(syncedAgain(trace));
            return new Campaign.Findings(
                    complaints,
                    victim.sent(),
                    List.of(back),
                    fault + " at call " + nth + ", back after " + back.toMillis() + " ms");
        }
    }

    /**
     * What the kernel was asked, whatever it answered: a second sync says nothing of the pages that the first one lost. The segment that
     * follows one without any durable push takes its name, and was never opened under it.
     */
    private static List<String> syncedAgain(Path trace) throws IOException {
        List<String> complaints = new ArrayList<>();
        boolean failed = false;
        boolean closed = false;
        for (String line : Files.readAllLines(trace)) {
            boolean sync = line.contains("fdatasync(") && line.contains(".segment>");
            if (failed && !closed && sync) {
                complaints.add("a segment whose sync failed is synced again: " + line);
            }
            failed |= sync && line.contains("(INJECTED");
            closed |= failed && line.contains("close(") && line.contains(".segment>");
            closed &= !(line.contains("openat(") && line.contains(".segment\"") && !line.contains("O_RDONLY"));
        }
        return complaints;
    }
}
