package dev.holdfast.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills gateways under load with {@code kill -9}: at named points, at random, and while they recover. Then one lives in peace, and everything
 * that was answered {@code 200} has to be in its journal and to have reached its consumer.
 */
@Tag("campaign")
@Tag("kill")
final class CrashIT {
    private static final double RATE = 2000;
    private static final int LARGEST_BODY = 3000;
    private static final int MOST_ANSWERS = 1500;
    /** A start takes some longer. */
    private static final int MOST_START_MILLIS = 1500;
    /** Of the points that take a minute there is one in so many trials of the long form. */
    private static final int SELDOM = 50;

    @TempDir
    Path directory;

    @BeforeAll
    static void canTrace() throws InterruptedException {
        assumeTrue(Strace.obstacle().isEmpty(), Strace.obstacle());
    }

    @Test
    void whatWasAnswered200SurvivesEveryKillAndReachesTheConsumer() throws Exception {
        Campaign.of("kill", KillPoint.ofFirstLife().size(), 250).run((number, random) -> {
            Path home = directory.resolve("trial" + number);
            KillPoint second = Campaign.LONG && number % SELDOM == 0
                    ? KillPoint.OLD_SEGMENT_IS_REMOVED
                    : nth(KillPoint.ofRecovery(), number);
            return trial(home, null, nth(KillPoint.ofFirstLife(), number), second, random);
        });
    }

    private static KillPoint nth(List<KillPoint> points, int number) {
        return points.get((number - 1) % points.size());
    }

    /** Four kills of one gateway: at a point of its first life, under load, at a point of recovery, and somewhere in a start. */
    static Campaign.Findings trial(
            Path home, @Nullable PlantedBug bug, KillPoint first, KillPoint second, SplittableRandom random)
            throws Exception {
        boolean patient = second == KillPoint.OLD_SEGMENT_IS_REMOVED;
        try (Victim victim = new Victim(home, home.resolve("data"), patient ? "  retention: 1s\n" : "", "")) {
            if (bug != null) {
                bug.plantIn(victim.installation());
            }
            killAt(first, victim, random);
            killUnderLoad(victim, random);
            killAt(second, victim, random);
            killWhileStarting(victim, random);
            victim.finish();
            return victim.findings(first + ", " + second);
        }
    }

    /** Its first thread that comes to the point waits there until it is killed. */
    private static void killAt(KillPoint point, Victim victim, SplittableRandom random) throws Exception {
        Path trace = victim.installation().path("trace-" + point);
        Child gateway = victim.beginUnder(point.command(trace, victim.data(), random));
        AtomicBoolean loaded = new AtomicBoolean();
        Await.until("the point " + point + " is reached", () -> {
            if (!loaded.get() && gateway.awaitReadyOrEnd(0)) {
                victim.load(gateway, RATE, random.nextInt(LARGEST_BODY));
                loaded.set(true);
            }
            return gateway.isHeld();
        });
        victim.kill(gateway);
    }

    /** Behind a push that was answered before: of a segment with one group alone recovery leaves nothing to cut or seal. */
    private static void killUnderLoad(Victim victim, SplittableRandom random) throws Exception {
        Child gateway = victim.begin();
        victim.client().push(gateway, 0);
        victim.load(gateway, RATE, random.nextInt(LARGEST_BODY));
        victim.awaitAnswers(random.nextInt(100, MOST_ANSWERS));
        victim.kill(gateway);
    }

    private static void killWhileStarting(Victim victim, SplittableRandom random) throws Exception {
        Child gateway = victim.beginUnder(List.of());
        gateway.awaitReadyOrEnd(random.nextInt(MOST_START_MILLIS));
        victim.kill(gateway);
    }
}
