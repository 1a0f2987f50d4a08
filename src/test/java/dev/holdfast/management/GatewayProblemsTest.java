package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.journal.DiskState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayProblemsTest {
    private final GatewayProblems problems = new GatewayProblems();

    private static JsonObject consumer(String state) {
        return new JsonObject().put("name", "mine").put("state", state).put("events", new JsonArray().add("*"));
    }

    private List<String> shown() {
        return problems.show().stream()
                .map(JsonObject.class::cast)
                .map(problem -> problem.getString("severity") + ": " + problem.getString("text"))
                .toList();
    }

    @Test
    void consumersThatAreStartingStoppedSlowedOrPausedAreSaidToBe() {
        problems.consumer(consumer("starting").put("lag", 1));
        problems.consumer(consumer("paused").put("lag", 7));
        problems.consumer(consumer("stopped").put("because", "it can't start: connection refused"));
        problems.consumer(consumer("slowed").put("lag", 1).put("lastFailure", new JsonObject().put("error", "503")));

        assertThat(shown())
                .containsExactly(
                        "critical: Consumer mine doesn't run: it can't start: connection refused.",
                        "critical: Consumer mine fails everything, the last time because of: 503.",
                        "warning: Consumer mine is still starting, 1 position behind the newest push.",
                        "warning: Consumer mine is paused, 7 positions behind the newest push.");
    }

    @Test
    void aGatewayThatIsStartingOrStoppingSaysThatPushesAreNotWelcome() {
        problems.conditions(Map.of("storage", true, "accepting", false));

        assertThat(shown()).containsExactly("critical: Pushes are not welcome: the gateway is starting or stopping.");
    }

    @Test
    void whatTheQuarantineAndDamagedFilesCostIsShown() {
        problems.notices(
                new OperatorNotices(
                        () -> List.of("pushes 3 to 5 are damaged"),
                        () -> "",
                        () -> "",
                        () -> "",
                        List::of,
                        () -> "the quarantine can't be written",
                        List::of),
                new DiskState(9, 9, 3, 0, 0));

        assertThat(shown())
                .containsExactly("warning: the quarantine can't be written", "warning: pushes 3 to 5 are damaged");
    }

    @Test
    void aStoreThatIsNotOpenIsNotCalledDamaged() {
        problems.notices(
                new OperatorNotices(
                        List::of,
                        () -> "The store is not open: it can't be written: No space left on device",
                        () -> "",
                        () -> "",
                        List::of,
                        () -> "",
                        List::of),
                new DiskState(9, 9, 3, 0, 0));

        assertThat(shown())
                .containsExactly("critical: The store is not open: it can't be written: No space left on device.");
    }

    @Test
    void aReloadThatNeedsARestartIsShownWithWhatFor() {
        problems.reload(new LastReload(Instant.EPOCH, true, List.of(), List.of("journal.directory", "receiver.port")));

        assertThat(shown())
                .containsExactly("warning: A part of the changed configuration waits for a restart: journal.directory,"
                        + " receiver.port");
    }

    @Test
    void aConsumerThatIsNotConfiguredIsNoProblemButForItsDeadLetters() {
        JsonObject gone = consumer("stopped")
                .put("events", new JsonArray())
                .put("because", "it is not configured")
                .put("deadLetters", 0);
        problems.consumer(gone);
        assertThat(shown()).isEmpty();

        problems.consumer(gone.copy().put("deadLetters", 3));
        assertThat(shown()).containsExactly("warning: Consumer mine is not configured, and still has 3 dead letters.");
    }

    @Test
    void lanesThatBackOffAreSaidWithWhatBlocksOneAndNothingElseOfTheirAge() {
        problems.consumer(consumer("running")
                .put("lag", 1)
                .put("lagSeconds", 3_723.0)
                .put("lanesBlocked", 3)
                .put("lanesBackingOff", 2)
                .put("lastFailure", new JsonObject().put("error", "of a dead letter"))
                .put("blockedBy", new JsonObject().put("seq", 5).put("error", "no")));

        assertThat(shown()).containsExactly("warning: Consumer mine has 2 lanes backing off: push 5 fails with: no.");
    }

    @Test
    void aConsumerWhoseCallsDoNotComeBackIsCriticalWhateverItsLanesDo() {
        problems.consumer(consumer("stuck").put("lag", 1).put("lanesBlocked", 1).put("lanesBackingOff", 0));

        assertThat(shown())
                .containsExactly(
                        "critical: Consumer mine is stuck: a call has outlived its timeout and does not come back,"
                                + " 1 position behind the newest push.");
    }

    @Test
    void aFewBlockedLanesOfAConsumerWithLittleToDoAreNotEverything() {
        problems.consumer(consumer("slowed")
                .put("lanesBlocked", 1)
                .put("blockedBy", new JsonObject().put("seq", 5).put("error", "no")));
        problems.consumer(consumer("slowed")
                .put("lag", 10)
                .put("lanesBlocked", 10)
                .put("lastFailure", new JsonObject().put("error", "503")));

        assertThat(shown())
                .containsExactly(
                        "critical: Consumer mine fails everything, the last time because of: 503.",
                        "warning: Consumer mine has 1 blocked lane: push 5 fails with: no.");
    }

    @Test
    void whatMakesItNotReadyIsCritical() {
        problems.conditions(Map.of("space", false));
        problems.notices(
                new OperatorNotices(
                        List::of, () -> "", () -> "the disk is full", () -> "", List::of, () -> "", List::of),
                new DiskState(1, 2, 3, 0, 1));

        assertThat(shown()).containsExactly("critical: the disk is full");
    }

    @Test
    void whereConsumersKeepTheDiskFullASmallerJournalIsNotSaidToHelp() {
        problems.notices(
                new OperatorNotices(List::of, () -> "", () -> "step 3 of 4", () -> "", List::of, () -> "", List::of),
                new DiskState(1, 2, 3, 0, 3));

        assertThat(problems.show().getJsonObject(0).getString("action")).isEqualTo("Make room on the disk.");
    }

    @Test
    void anOldPushThatNothingBlocksIsSaidToBe() {
        problems.consumer(consumer("running").put("lag", 1).put("lagSeconds", 3_723.0));

        assertThat(shown())
                .containsExactly("warning: Consumer mine is behind: its oldest push waits for 1h2m3s, 1 position"
                        + " behind the newest push.");
    }

    @Test
    void aRefusedConfigurationAndAnEndedTokenAreSaidToBe() {
        problems.reload(new LastReload(Instant.EPOCH, false, List.of("line 3: found x, expected y"), List.of()));
        problems.token(new JsonObject().put("state", "needs-code"));

        assertThat(shown())
                .containsExactly(
                        "critical: The access token can't be renewed: an authorization code is needed.",
                        "warning: The changed configuration is refused: line 3: found x, expected y");
        assertThat(problems.summary(true, 2.5))
                .isEqualTo("Ready, 2.5 pushes a second accepted, with 1 critical problem and 1 warning.");
    }

    @Test
    void aTokenThatCouldNotBeHadOrRenewedIsSaidToBeUntilItIsThere() {
        JsonObject token = new JsonObject().put("lastFailure", new JsonObject().put("kind", "unreachable"));
        problems.token(new JsonObject().put("state", "exchanging"));
        problems.token(token.copy().put("state", "valid"));
        assertThat(shown()).isEmpty();

        problems.token(token.copy().put("state", "exchanging"));
        problems.token(token.copy().put("state", "renewing"));
        assertThat(shown())
                .containsExactly(
                        "warning: There is no access token yet: no authorization code could be exchanged.",
                        "warning: The access token could not be renewed yet.");
    }

    @Test
    void aConditionThatDoesNotHoldIsCritical() {
        problems.conditions(Map.of("storage", false, "space", true));

        assertThat(shown()).containsExactly("critical: The journal can't be written: pushes are answered 503.");
        assertThat(problems.summary(false, 0)).isEqualTo("Not ready, with 1 critical problem.");
    }
}
