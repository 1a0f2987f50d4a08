package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends gateways in the middle of delivering, and looks at what came of it. How many pushes a second that is, with the
 * server behind the gateway in one machine with both, is told and not asserted.
 */
@Tag("campaign")
@Tag("kill-delivery")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class DeliveryCrashIT {
    private static final int KILLS = Campaign.LONG ? 20 : 2;
    private static final int WARM_UP = 200;
    private static final int BACKLOG = 2000;
    private static final int RETRY_KILLS = 2;
    /** So many at a time: however often it is killed, those that it interrupts are not to pile up. */
    private static final int MOST_RETRIES = 4;

    private static final int REPLAY_RATE = 200;
    /** A replay's progress is saved once a second. */
    private static final long LONG_ENOUGH_NANOS = 2_500_000_000L;

    @TempDir
    Path directory;

    private final SplittableRandom random = new SplittableRandom();
    private DeliveryTrial trial;

    @BeforeEach
    void install() throws IOException {
        trial = new DeliveryTrial(directory);
    }

    @AfterEach
    void remove() throws IOException {
        trial.close();
    }

    @Test
    void whatWasAnswered200ReachesTheServerAndTheFilesAcrossTheKillsAndOnlyTheRefusedAreDeadLetters() throws Exception {
        for (int kill = 1; kill <= KILLS; kill++) {
            Child gateway = trial.begin();
            trial.load(gateway);
            trial.awaitAnswers(WARM_UP);
            if (trial.operator().underWay(gateway) < MOST_RETRIES) {
                trial.operator().retryDeadLetters(gateway);
            }
            trial.awaitAnswers(WARM_UP + random.nextInt(300, 1500));
            trial.kill(gateway);
        }
        Child last = trial.begin();
        trial.awaitDelivery(last);
        Set<Long> deadLetters = trial.operator().deadLetters(last);
        trial.terminate(last);

        ForwardEvidence forward = trial.forwardEvidence(deadLetters);
        report(
                "%d kills, %d dead letters, again to the server %s, again in the files %s",
                KILLS,
                deadLetters.size(),
                forward.redeliveries(),
                trial.archiveEvidence().redeliveries());
        assertThat(forward.complaints()).isEmpty();
        assertThat(deadLetters).isNotEmpty();
        assertFilesComplete();
        assertThat(trial.sent().stream().filter(SentPush::acknowledged)).hasSizeGreaterThan(300 * KILLS);
    }

    @Test
    void deadLettersThatAreRetriedWhileItIsKilledAreHandledOrStillThereAndAnotherRetryFinishesThem() throws Exception {
        Child gateway = trial.begin();
        trial.load(gateway);
        trial.awaitAnswers(BACKLOG);
        trial.unload();
        trial.awaitDelivery(gateway);
        int refused = trial.operator().deadLetters(gateway).size();
        trial.downstream().mend();

        for (int kill = 1; kill <= RETRY_KILLS; kill++) {
            trial.load(gateway);
            trial.operator().retryDeadLetters(gateway);
            int enough = kill * refused / (4 * RETRY_KILLS);
            Await.until("some are handled", () -> recovered() >= enough);
            trial.kill(gateway);
            gateway = trial.begin();
            Set<Long> left = trial.operator().deadLetters(gateway);
            report("%d refused, %d handled at the kill, %d dead letters left", refused, recovered(), left.size());
            assertThat(left).isNotEmpty();
            assertThat(letters(left).complaints()).isEmpty();
        }
        Child last = gateway;
        trial.operator().retryDeadLetters(last);
        Await.until("none is left", () -> trial.operator().deadLetters(last).isEmpty());
        trial.awaitDelivery(last);
        trial.terminate(last);

        assertThat(trial.forwardEvidence(Set.of()).complaints()).isEmpty();
        assertThat(recovered()).isEqualTo(refused);
        assertFilesComplete();
    }

    @Test
    void aReplayThatIsKilledGoesOnByItselfAndRepeatsNoMoreThanTheLastMoments() throws Exception {
        Child killed = trial.begin();
        trial.load(killed);
        trial.awaitAnswers(BACKLOG);
        trial.operator().replay(killed, DeliveryTrial.FORWARD, "conversation.*", BACKLOG, REPLAY_RATE);
        long begun = System.nanoTime();
        Await.until(
                "some of it is replayed, and its progress saved",
                () -> replayed() > REPLAY_RATE && System.nanoTime() - begun > LONG_ENOUGH_NANOS);
        trial.kill(killed);
        int atKill = replayed();

        Child gateway = trial.begin();
        long next = trial.operator().replay(gateway).orElseThrow().getLong("next");
        assertThat(next).as("its progress").isGreaterThan(1);
        trial.load(gateway);
        Await.until(
                "it goes on",
                () -> trial.operator().replay(gateway).orElseThrow().getLong("next") > next);
        trial.awaitAnswers(WARM_UP);
        trial.unload();
        Await.until("it is done", () -> trial.operator().replay(gateway).isEmpty());
        trial.awaitDelivery(gateway);
        Set<Long> deadLetters = trial.operator().deadLetters(gateway);
        trial.terminate(gateway);

        Set<Long> wanted = trial.seqs("conversation", BACKLOG);
        wanted.removeAll(deadLetters);
        ReplayEvidence evidence =
                new ReplayEvidence(wanted, REPLAY_RATE, trial.downstream().forwarded());
        report(
                "%d to replay, %d at the kill, went on at %d, again %s",
                wanted.size(), atKill, next, evidence.repeats());
        assertThat(evidence.complaints()).isEmpty();
        assertThat(trial.forwardEvidence(deadLetters).complaints()).isEmpty();
    }

    @Test
    void afterACleanStopInTheMiddleOfAllThatNothingIsDeliveredTwiceOnItsOrdinaryWay() throws Exception {
        Child stopped = trial.begin();
        trial.load(stopped);
        trial.awaitAnswers(BACKLOG);
        trial.downstream().mend();
        trial.operator().replay(stopped, DeliveryTrial.FORWARD, "conversation.*", BACKLOG / 2, REPLAY_RATE);
        trial.operator().retryDeadLetters(stopped);
        Await.until("both are on their way", () -> replayed() > 0 && recovered() > 0);
        trial.terminate(stopped);
        int atStop = replayed();

        Child gateway = trial.begin();
        trial.load(gateway);
        trial.awaitAnswers(WARM_UP);
        trial.unload();
        Await.until("replay and retry are done", () -> trial.operator().underWay(gateway) == 0);
        trial.awaitDelivery(gateway);
        Set<Long> deadLetters = trial.operator().deadLetters(gateway);
        trial.terminate(gateway);

        ForwardEvidence forward = trial.forwardEvidence(deadLetters);
        ReplayEvidence replay = new ReplayEvidence(
                trial.seqs("conversation", BACKLOG / 2),
                REPLAY_RATE,
                trial.downstream().forwarded());
        report("%d replayed at the stop, again %s, %d dead letters left", atStop, replay.repeats(), deadLetters.size());
        assertThat(forward.complaints()).isEmpty();
        assertThat(forward.redeliveries()).isEmpty();
        assertThat(deadLetters).doesNotContainAnyElementsOf(letters(deadLetters).recovered());
        assertThat(replay.complaints()).isEmpty();
        assertFilesComplete();
        assertThat(trial.archiveEvidence().redeliveries()).isEmpty();
    }

    /** A kill while the server answers nothing, of a gateway that says that it got all the same; then a life in peace. */
    static Campaign.Findings trial(Path home, PlantedBug bug) throws Exception {
        try (DeliveryTrial trial = new DeliveryTrial(home)) {
            trial.plant(bug);
            trial.downstream().hang(true);
            Child killed = trial.begin();
            trial.load(killed);
            trial.awaitAnswers(WARM_UP);
            trial.unload();
            Await.until("the position is saved", () -> trial.operator().isPositionAtEnd(killed));
            trial.kill(killed);
            trial.downstream().hang(false);
            long before = trial.downstream().decided();
            Child last = trial.begin();
            trial.load(last);
            trial.awaitAnswers(WARM_UP);
            trial.unload();
            // Its own account of what is left is not to be believed.
            Await.until("it delivers", () -> trial.downstream().decided() > before);
            Await.until("nothing more comes", trial.downstream()::isQuiet);
            Set<Long> deadLetters = trial.operator().deadLetters(last);
            trial.terminate(last);
            return new Campaign.Findings(trial.forwardEvidence(deadLetters).complaints(), trial.sent(), List.of(), "");
        }
    }

    private int replayed() {
        return (int) trial.downstream().forwarded().stream()
                .filter(push -> push.replay() && push.isTaken())
                .count();
    }

    private int recovered() {
        return letters(Set.of()).recovered().size();
    }

    /** What is known of dead letters while a gateway runs. */
    private DeadLetterEvidence letters(Set<Long> listed) {
        return new DeadLetterEvidence(trial.downstream().forwarded(), listed);
    }

    private void assertFilesComplete() throws IOException {
        assertThat(trial.archive().complaints()).isEmpty();
        assertThat(trial.archiveEvidence().complaints()).isEmpty();
        assertThat(trial.archive().compressedFiles()).isPositive();
    }

    private void report(String form, Object... values) {
        System.out.printf(
                Locale.ROOT,
                "%d pushes at %.0f a second; %s%n",
                trial.sent().size(),
                trial.rate(),
                String.format(Locale.ROOT, form, values));
    }
}
