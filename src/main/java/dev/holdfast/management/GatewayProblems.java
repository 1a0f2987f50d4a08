package dev.holdfast.management;

import dev.holdfast.journal.DiskState;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is wrong with a gateway itself, in words, and what to do about each. */
final class GatewayProblems {
    /** From this step of the disk ladder on, pushes are given up or refused. */
    private static final int LOSING_STEP = 3;

    private final ProblemList problems;
    private boolean lacksSpace;

    GatewayProblems(ProblemList problems) {
        this.problems = problems;
    }

    /** @param holds which of them do, by name; what is damaged has words of its own */
    void conditions(Map<String, Boolean> holds) {
        // The state of the disk is described elsewhere.
        lacksSpace = isMissing(holds, "space");
        if (isMissing(holds, "storage")) {
            problems.critical(
                    "The journal can't be written: pushes are answered 503.",
                    "Look for the disk's error in the log; mend the disk that journal.directory lies on, or make"
                            + " room on it.");
        }
        if (isMissing(holds, "accepting")) {
            problems.critical(
                    "Pushes are not welcome: the gateway is starting or stopping.", "Wait, or start it again.");
        }
        if (isMissing(holds, "room")) {
            problems.warning(
                    "Large bodies wait, or were given up, because the room for those that come in is full.",
                    "Raise receiver.max-in-flight, or see who sends them.");
        }
    }

    private static boolean isMissing(Map<String, Boolean> holds, String condition) {
        return Boolean.FALSE.equals(holds.get(condition));
    }

    /** After the conditions. */
    void notices(OperatorNotices notices, DiskState disk) {
        for (String refusal : notices.refusals().get()) {
            problems.critical(
                    refusal,
                    "Correct the secret or signature-header of the endpoint, then verify the quarantine: no push is"
                            + " lost that is still in it.");
        }
        String closed = notices.store().get();
        if (!closed.isEmpty()) {
            problems.critical(
                    closed,
                    "Consumers wait for it. Mend what it says, or make room: opening is tried again all the time, unless it is"
                            + " damaged. Then restart the gateway.");
        }
        String filling = notices.disk().get();
        if (!filling.isEmpty()) {
            boolean loses = disk.step() >= LOSING_STEP;
            problems.add(lacksSpace || loses, filling, helpAtStep(disk.step()));
        }
        for (OperatorNotices.Certificate certificate : notices.certificates().get()) {
            problems.add(
                    certificate.refused(), certificate.notice(), "Replace its files: the gateway notices by itself.");
        }
        String quarantine = notices.quarantine().get();
        if (!quarantine.isEmpty()) {
            problems.warning(quarantine, "Requests with a wrong signature may not be kept: see the log for why.");
        }
        for (String damage : notices.damage().get()) {
            problems.warning(
                    damage,
                    "What can be read is served. Look at the ledger for what is lost, and at the disk; holdfast"
                            + " journal verify tells more once the gateway is stopped.");
        }
    }

    private static String helpAtStep(int step) {
        if (step == 0) {
            return "Mend what it says, or the disk may fill.";
        }
        // What fills it then is not what every consumer has had.
        return step >= LOSING_STEP ? "Make room on the disk." : "Make room on the disk, or lower journal.max-size.";
    }

    /** @param token as the API shows it; null: the configuration has none */
    void token(@Nullable JsonObject token) {
        if (token == null) {
            return;
        }
        String state = token.getString("state", "");
        boolean failed = token.getJsonObject("lastFailure") != null;
        String tried =
                "It is tried again by itself; holdfast token status shows the last failure, and whether the platform"
                        + " can be reached.";
        if (state.equals("needs-code")) {
            problems.critical(
                    "The access token can't be renewed: an authorization code is needed.",
                    "Get one from the platform, and exchange it: holdfast token exchange.");
        } else if (failed && state.equals("exchanging")) {
            problems.warning("There is no access token yet: no authorization code could be exchanged.", tried);
        } else if (failed && state.equals("renewing")) {
            problems.warning("The access token could not be renewed yet.", tried);
        }
        String store = token.getString("store", "");
        if (!store.isEmpty()) {
            problems.warning(
                    "The access token's file: " + store,
                    "Put it right. If the state is needs-code, restart the gateway afterwards: that loads it.");
        }
    }

    void reload(@Nullable LastReload reload) {
        if (reload == null) {
            return;
        }
        if (!reload.accepted()) {
            problems.warning(
                    "The changed configuration is refused: " + String.join("; ", reload.problems()),
                    "Correct the file. What ran before still runs.");
        } else if (!reload.needsRestart().isEmpty()) {
            problems.warning(
                    "A part of the changed configuration waits for a restart: "
                            + String.join(", ", reload.needsRestart()),
                    "Restart the gateway when it suits.");
        }
    }
}
