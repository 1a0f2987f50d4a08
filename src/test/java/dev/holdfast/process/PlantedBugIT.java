package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The campaigns' own test: each of them runs against a gateway that makes a mistake on purpose, and has to find it. */
@Tag("campaign")
@Tag("planted-bugs")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class PlantedBugIT {
    private static final int MOST_TRIALS = 20;
    private static final Path REPORT = Path.of("target", "campaign", "planted-bugs.md");

    /** One trial against a gateway with the bug. */
    private interface Hunt {
        Campaign.Findings run(Path home, int number) throws Exception;
    }

    @TempDir
    Path directory;

    private final SplittableRandom random = new SplittableRandom();

    @BeforeAll
    static void canTrace() throws InterruptedException {
        assumeTrue(Strace.obstacle().isEmpty(), Strace.obstacle());
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedBugIsCaught(PlantedBug bug) throws Exception {
        switch (bug) {
            case ACKNOWLEDGES_BEFORE_THE_SYNC, GOES_ON_AFTER_A_FAILED_SYNC ->
                hunt(bug, "sync-errors", (home, number) -> SyncErrorIT.trial(home, bug, SyncErrorIT.Fault.SYNC, 5));
            case ANSWERS_200_ON_A_FULL_DISK ->
                hunt(bug, "sync-errors", (home, number) -> SyncErrorIT.trial(home, bug, SyncErrorIT.Fault.WRITE, 5));
            case SAVES_A_POSITION_BEFORE_THE_HANDLER_IS_DONE ->
                hunt(bug, "kill-delivery", (home, number) -> DeliveryCrashIT.trial(home, bug));
            case TAKES_PUSHES_WITH_ONE_ID_FOR_DUPLICATES ->
                // Points of every life: with this bug one may keep a single push, so that there are few syncs to be
                // killed at, and no segment to cut.
                hunt(
                        bug,
                        "kill",
                        (home, number) -> CrashIT.trial(
                                home, bug, KillPoint.ARCHIVE_IS_MADE, KillPoint.STORE_IS_RECOVERED, random));
            case TRUSTS_A_RECORD_WITHOUT_ITS_CHECKSUM -> {
                DamageIT.Template template = DamageIT.Template.make(directory.resolve("killed"), true);
                hunt(
                        bug,
                        "damage",
                        (home, number) -> DamageIT.trial(
                                home,
                                bug,
                                template,
                                template.any(random, DamageIT::isSegment),
                                DamageIT.Damage.FLIPPED_BIT,
                                random));
            }
            case VERIFIES_THE_QUARANTINE_WITHOUT_THE_SECRET ->
                hunt(bug, "floods", (home, number) -> FloodIT.trial(home, bug, FloodIT.Flood.WRONG_SIGNATURES));
        }
    }

    private void hunt(PlantedBug bug, String campaign, Hunt hunt) throws Exception {
        List<String> complaints = List.of();
        int trials = 0;
        while (trials < MOST_TRIALS && complaints.isEmpty()) {
            trials++;
            complaints = hunt.run(directory.resolve("trial" + trials), trials).complaints();
        }
        assertThat(complaints)
                .as("%s, after %d trials of %s", bug, trials, campaign)
                .isNotEmpty();
        report("| " + bug.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ') + " | " + campaign + " | "
                + trials + " | " + complaints.get(0).replace('|', '/') + " |\n");
    }

    private static void report(String row) throws IOException {
        System.out.print(row);
        Files.createDirectories(REPORT.getParent());
        if (!Files.exists(REPORT)) {
            Files.writeString(REPORT, "| planted bug | caught by | trials | first complaint |\n|---|---|---|---|\n");
        }
        Files.writeString(REPORT, row, StandardOpenOption.APPEND);
    }
}
