package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsumerProblemsTest {
    private final ProblemList problems = new ProblemList();
    private final ConsumerProblems consumers = new ConsumerProblems(problems);

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
        consumers.add(consumer("starting").put("lag", 1));
        consumers.add(consumer("paused").put("lag", 7));
        consumers.add(consumer("stopped").put("because", "it can't start: connection refused"));
        consumers.add(consumer("slowed").put("lag", 1).put("lastFailure", new JsonObject().put("error", "503")));

        assertThat(shown())
                .containsExactly(
                        "critical: Consumer mine doesn't run: it can't start: connection refused.",
                        "critical: Consumer mine fails everything, the last time because of: 503.",
                        "warning: Consumer mine is still starting, 1 position behind the newest push.",
                        "warning: Consumer mine is paused, 7 positions behind the newest push.");
    }

    @Test
    void aConsumerThatIsNotConfiguredIsNoProblemButForItsDeadLetters() {
        JsonObject gone = consumer("stopped")
                .put("events", new JsonArray())
                .put("because", "it is not configured")
                .put("deadLetters", 0);
        consumers.add(gone);
        assertThat(shown()).isEmpty();

        consumers.add(gone.copy().put("deadLetters", 3));
        assertThat(shown()).containsExactly("warning: Consumer mine is not configured, and still has 3 dead letters.");
    }

    @Test
    void lanesThatBackOffAreSaidWithWhatBlocksOneAndNothingElseOfTheirAge() {
        consumers.add(consumer("running")
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
        consumers.add(consumer("stuck").put("lag", 1).put("lanesBlocked", 1).put("lanesBackingOff", 0));

        assertThat(shown())
                .containsExactly(
                        "critical: Consumer mine is stuck: a call has outlived its timeout and does not come back,"
                                + " 1 position behind the newest push.");
    }

    @Test
    void aFewBlockedLanesOfAConsumerWithLittleToDoAreNotEverything() {
        consumers.add(consumer("slowed")
                .put("lanesBlocked", 1)
                .put("blockedBy", new JsonObject().put("seq", 5).put("error", "no")));
        consumers.add(consumer("slowed")
                .put("lag", 10)
                .put("lanesBlocked", 10)
                .put("lastFailure", new JsonObject().put("error", "503")));

        assertThat(shown())
                .containsExactly(
                        "critical: Consumer mine fails everything, the last time because of: 503.",
                        "warning: Consumer mine has 1 blocked lane: push 5 fails with: no.");
    }

    @Test
    void anErrorThatEndsWithAFullStopHasOne() {
        consumers.add(consumer("stopped").put("because", "it can't start: too many connections."));

        assertThat(shown())
                .containsExactly("critical: Consumer mine doesn't run: it can't start: too many connections.");
    }

    @Test
    void anOldPushThatNothingBlocksIsSaidToBe() {
        consumers.add(consumer("running").put("lag", 1).put("lagSeconds", 3_723.0));

        assertThat(shown())
                .containsExactly("warning: Consumer mine is behind: its oldest push waits for 1h2m3s, 1 position"
                        + " behind the newest push.");
    }
}
