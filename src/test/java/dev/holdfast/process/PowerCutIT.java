package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts the power of the disk under load: what a {@code 200} promises. The gateway is stopped first, so that it acknowledges nothing after
 * the cut. Skipped where the machine lets no test make such a disk.
 */
@Tag("campaign")
@Tag("power")
final class PowerCutIT {
    private static final double RATE = 2000;
    private static final int CUTS = 2;
    private static final List<String> FILE_SYSTEMS = List.of("xfs", "ext4");

    @TempDir
    Path directory;

    @Test
    void whatWasAnswered200SurvivesPowerCuts() throws Exception {
        for (String fileSystem : FILE_SYSTEMS) {
            String obstacle = CuttableDisk.obstacle(fileSystem, directory.resolve("try-" + fileSystem));
            assumeTrue(obstacle.isEmpty(), obstacle);
        }
        Campaign.of("power", FILE_SYSTEMS.size(), 100)
                .run((number, random) -> trial(
                        directory.resolve("trial" + number), FILE_SYSTEMS.get(number % FILE_SYSTEMS.size()), random));
    }

    /** Two cuts of one journal, then a life in peace. */
    private static Campaign.Findings trial(Path home, String fileSystem, SplittableRandom random) throws Exception {
        try (CuttableDisk disk = CuttableDisk.make(fileSystem, home.resolve("disk"));
                Victim victim = new Victim(home, disk.path("data"), "  reserve: 0B\n", "")) {
            for (int cut = 0; cut < CUTS; cut++) {
                Child gateway = victim.begin();
                victim.load(gateway, RATE, random.nextInt(4000));
                victim.awaitAnswers(random.nextInt(200, 2500));
                gateway.signal("STOP");
                disk.cutPower();
                victim.kill(gateway);
                disk.restorePower();
            }
            victim.finish();
            return victim.findings(CUTS + " cuts on " + fileSystem);
        }
    }

    @Test
    void aServerThatNeverSyncsIsCaught() throws Exception {
        String obstacle = CuttableDisk.obstacle("xfs", directory.resolve("try"));
        assumeTrue(obstacle.isEmpty(), obstacle);
        try (CuttableDisk disk = CuttableDisk.make("xfs", directory.resolve("disk"))) {
            Path file = disk.path("pushes");
            List<String> command = new ArrayList<>(List.of(Installation.java()));
            command.addAll(StartAids.of(Installation.jar()));
            // The jar comes first, as where the aids were made.
            command.addAll(List.of("-cp", Installation.jar() + ":" + System.getProperty("java.class.path")));
            command.addAll(List.of(UnsyncedServer.class.getName(), file.toString()));
            Traffic traffic;
            try (Child server = Child.start(directory, Map.of(), command)) {
                server.awaitReady();
                traffic = Traffic.start(server.webhook(), "any", RATE, 500);
                traffic.awaitAnswers(1000);
                server.signal("STOP");
                disk.cutPower();
            }
            traffic.stop();
            disk.restorePower();

            Evidence evidence = new Evidence(traffic.sent(), UnsyncedServer.kept(file), List.of());
            assertThat(evidence.journalComplaints())
                    .isNotEmpty()
                    .allSatisfy(complaint -> assertThat(complaint).startsWith("answered 200, but not kept"));
        }
    }
}
