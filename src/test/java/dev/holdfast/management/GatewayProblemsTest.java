package dev.holdfast.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.journal.DiskState;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayProblemsTest {
    private final ProblemList problems = new ProblemList();
    private final GatewayProblems gateway = new GatewayProblems(problems);

    private List<String> shown() {
        return problems.show().stream()
                .map(JsonObject.class::cast)
                .map(problem -> problem.getString("severity") + ": " + problem.getString("text"))
                .toList();
    }

    @Test
    void aGatewayThatIsStartingOrStoppingSaysThatPushesAreNotWelcome() {
        gateway.conditions(Map.of("storage", true, "accepting", false));

        assertThat(shown()).containsExactly("critical: Pushes are not welcome: the gateway is starting or stopping.");
    }

    @Test
    void whatTheQuarantineAndDamagedFilesCostIsShown() {
        gateway.notices(
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
                .containsExactly("warning: the quarantine can't be written.", "warning: pushes 3 to 5 are damaged.");
    }

    @Test
    void aQuestionHasNoFullStop() {
        gateway.notices(
                new OperatorNotices(
                        List::of,
                        () -> "",
                        () -> "",
                        () -> "",
                        List::of,
                        () -> "",
                        () -> List.of("12 pushes were refused: is signature-header right?")),
                new DiskState(9, 9, 3, 0, 0));

        assertThat(shown()).containsExactly("critical: 12 pushes were refused: is signature-header right?");
    }

    @Test
    void aStoreThatIsNotOpenIsNotCalledDamaged() {
        gateway.notices(
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
        gateway.reload(new LastReload(Instant.EPOCH, true, List.of(), List.of("journal.directory", "receiver.port")));

        assertThat(shown())
                .containsExactly("warning: A part of the changed configuration waits for a restart: journal.directory,"
                        + " receiver.port.");
    }

    @Test
    void whatMakesItNotReadyIsCritical() {
        gateway.conditions(Map.of("space", false));
        gateway.notices(
                new OperatorNotices(
                        List::of, () -> "", () -> "the disk is full", () -> "", List::of, () -> "", List::of),
                new DiskState(1, 2, 3, 0, 1));

        assertThat(shown()).containsExactly("critical: the disk is full.");
    }

    @Test
    void whereConsumersKeepTheDiskFullASmallerJournalIsNotSaidToHelp() {
        gateway.notices(
                new OperatorNotices(List::of, () -> "", () -> "step 3 of 4", () -> "", List::of, () -> "", List::of),
                new DiskState(1, 2, 3, 0, 3));

        assertThat(problems.show().getJsonObject(0).getString("action")).isEqualTo("Make room on the disk.");
    }

    @Test
    void aRefusedConfigurationAndAnEndedTokenAreSaidToBe() {
        gateway.reload(new LastReload(Instant.EPOCH, false, List.of("line 3: found x, expected y"), List.of()));
        gateway.token(new JsonObject().put("state", "needs-code"));

        assertThat(shown())
                .containsExactly(
                        "critical: The access token can't be renewed: an authorization code is needed.",
                        "warning: The changed configuration is refused: line 3: found x, expected y.");
        assertThat(problems.summary(true, 2.5))
                .isEqualTo("Ready, 2.5 pushes a second accepted, with 1 critical problem and 1 warning.");
    }

    @Test
    void aTokenThatCouldNotBeHadOrRenewedIsSaidToBeUntilItIsThere() {
        JsonObject token = new JsonObject().put("lastFailure", new JsonObject().put("kind", "unreachable"));
        gateway.token(new JsonObject().put("state", "exchanging"));
        gateway.token(token.copy().put("state", "valid"));
        assertThat(shown()).isEmpty();

        gateway.token(token.copy().put("state", "exchanging"));
        gateway.token(token.copy().put("state", "renewing"));
        assertThat(shown())
                .containsExactly(
                        "warning: There is no access token yet: no authorization code could be exchanged.",
                        "warning: The access token could not be renewed yet.");
    }

    @Test
    void aConditionThatDoesNotHoldIsCritical() {
        gateway.conditions(Map.of("storage", false, "space", true));

        assertThat(shown()).containsExactly("critical: The journal can't be written: pushes are answered 503.");
        assertThat(problems.summary(false, 0)).isEqualTo("Not ready, with 1 critical problem.");
    }
}
