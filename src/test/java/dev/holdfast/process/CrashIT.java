package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a gateway under load again and again ({@code -Dholdfast.kills=N}), and looks at what is left. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class CrashIT {
    private static final int KILLS = Integer.getInteger("holdfast.kills", 20);
    private static final double RATE = 3000;
    private static final int WARM_UP = 200;
    /** Times the first start, when there was nothing to recover: that tells how fast this machine is. */
    private static final int LONGEST_RECOVERY = 5;
    /** Each so many kills, the next start is killed as well before it is ready. */
    private static final int KILLED_STARTS = 5;

    @TempDir
    Path directory;

    private final SplittableRandom random = new SplittableRandom();
    private final List<SentPush> sent = new ArrayList<>();
    private final List<Duration> recoveries = new ArrayList<>();
    private Duration loaded = Duration.ZERO;
    private int warmUps;
    private Vertx vertx;
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        vertx = Vertx.vertx();
        installation = new Installation(directory);
        PluginJar.install(installation, "diary.jar", DiaryEntry.CLASS, DiaryEntry.CODE);
        installation.configure(DiaryEntry.consumer(installation.path("diary")));
    }

    @AfterEach
    void remove() {
        installation.close();
        vertx.close().await();
    }

    @Test
    void whatWasAnswered200SurvivesEveryKillAndReachesTheConsumer() throws Exception {
        for (int kill = 1; kill <= KILLS; kill++) {
            killUnderLoad();
            if (kill % KILLED_STARTS == 0) {
                killWhileStarting();
            }
        }
        finishInPeace();

        Evidence evidence =
                new Evidence(sent, KeptPush.all(installation.path("data")), DiaryEntry.all(installation.path("diary")));
        report(evidence);
        assertThat(evidence.complaints()).isEmpty();
        assertThat(sent.stream().filter(SentPush::acknowledged).count()).isGreaterThan(100L * KILLS);
        assertThat(usualRecovery()).isLessThan(recoveries.get(0).multipliedBy(LONGEST_RECOVERY));
    }

    /** The median after a kill: one of them may have met a moment in which the machine had other things to do. */
    private Duration usualRecovery() {
        List<Duration> sorted =
                recoveries.subList(1, recoveries.size()).stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private void killUnderLoad() throws Exception {
        Child gateway = installation.run();
        recoveries.add(gateway.awaitReady());
        Traffic traffic = Traffic.start(vertx, gateway.webhook(), Installation.SECRET, RATE, random.nextInt(0, 4000));
        traffic.awaitAnswers(WARM_UP);
        long start = System.nanoTime();
        traffic.awaitAnswers(WARM_UP + random.nextInt(300, 6000));
        gateway.kill();
        loaded = loaded.plusNanos(System.nanoTime() - start);
        traffic.stop();
        sent.addAll(traffic.sent());
        warmUps += WARM_UP;
    }

    /** Pushes sent per second, over all the time that a gateway was under load, but for each one's first moments. */
    private double rate() {
        return (sent.size() - warmUps) * 1e9 / loaded.toNanos();
    }

    private void killWhileStarting() throws Exception {
        Child gateway = installation.run();
        gateway.awaitLog(random.nextBoolean() ? "configuration:" : "management.port");
        gateway.kill();
    }

    private void finishInPeace() throws Exception {
        Child gateway = installation.run();
        recoveries.add(gateway.awaitReady());
        PushClient client = new PushClient();
        Await.until("every push is delivered", () -> client.allDelivered(gateway));
        gateway.signal("TERM");
        assertThat(gateway.awaitExit()).isZero();
    }

    private void report(Evidence evidence) {
        System.out.printf(
                Locale.ROOT,
                "%d kills: %d pushes sent at %.0f a second, %d answered 200, %d kept; accepting again after at"
                        + " most %d ms (median %d ms, first start %d ms); at most %d pushes delivered again after a kill%n",
                KILLS,
                sent.size(),
                rate(),
                sent.stream().filter(SentPush::acknowledged).count(),
                evidence.kept().size(),
                Collections.max(recoveries.subList(1, recoveries.size())).toMillis(),
                usualRecovery().toMillis(),
                recoveries.get(0).toMillis(),
                evidence.redeliveries().values().stream()
                        .mapToInt(count -> count)
                        .max()
                        .orElse(0));
    }
}
