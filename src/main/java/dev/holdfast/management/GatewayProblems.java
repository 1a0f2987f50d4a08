package dev.holdfast.management;

import dev.holdfast.journal.DiskState;
import dev.holdfast.logging.Counted;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is wrong with a gateway, in words, and what to do about each: the worst first. Gathered once for each answer. */
final class GatewayProblems {
    /** A backlog older than this is no ordinary lag. */
    private static final double OLD_SECONDS = 300;

    /** When the first pushes of this many lanes fail, the fault is hardly the pushes'. */
    private static final int MANY_LANES = 10;

    /** From this step of the disk ladder on, pushes are given up or refused. */
    private static final int LOSING_STEP = 3;

    private final List<JsonObject> critical = new ArrayList<>();
    private final List<JsonObject> warnings = new ArrayList<>();
    private boolean lacksSpace;

    /** @param holds which of them do, by name; what is damaged has words of its own */
    void conditions(Map<String, Boolean> holds) {
        // The state of the disk is described elsewhere.
        lacksSpace = isMissing(holds, "space");
        if (isMissing(holds, "storage")) {
            critical(
                    "The journal can't be written: pushes are answered 503.",
                    "Look for the disk's error in the log; mend the disk that journal.directory lies on, or make"
                            + " room on it.");
        }
        if (isMissing(holds, "accepting")) {
            critical("Pushes are not welcome: the gateway is starting or stopping.", "Wait, or start it again.");
        }
        if (isMissing(holds, "room")) {
            warning(
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
            critical(
                    refusal,
                    "Correct the secret or signature-header of the endpoint, then verify the quarantine: no push is"
                            + " lost that is still in it.");
        }
        String closed = notices.store().get();
        if (!closed.isEmpty()) {
            critical(
                    closed + ".",
                    "Consumers wait for it. Mend what it says, or make room: opening is tried again all the time, unless it is"
                            + " damaged. Then restart the gateway.");
        }
        String filling = notices.disk().get();
        if (!filling.isEmpty()) {
            boolean loses = disk.step() >= LOSING_STEP;
            add(
                    lacksSpace || loses ? critical : warnings,
                    filling,
                    // What fills it then is not what every consumer has had.
                    loses ? "Make room on the disk." : "Make room on the disk, or lower journal.max-size.");
        }
        for (OperatorNotices.Certificate certificate : notices.certificates().get()) {
            add(
                    certificate.refused() ? critical : warnings,
                    certificate.notice(),
                    "Replace its files: the gateway notices by itself.");
        }
        String quarantine = notices.quarantine().get();
        if (!quarantine.isEmpty()) {
            warning(quarantine, "Requests with a wrong signature may not be kept: see the log for why.");
        }
        for (String damage : notices.damage().get()) {
            warning(
                    damage,
                    "What can be read is served. Look at the ledger for what is lost, and at the disk; holdfast"
                            + " journal verify tells more once the gateway is stopped.");
        }
    }

    /** @param shown as the API shows it */
    void consumer(JsonObject shown) {
        String name = "Consumer " + shown.getString("name");
        if (shown.getJsonArray("events").isEmpty()) {
            notConfigured(name, shown);
            return;
        }
        switch (shown.getString("state", "running")) {
            case "starting" ->
                warning(
                        name + " is still starting" + waiting(shown) + ".",
                        "Wait, or see what its start waits for. Pushes are kept for it meanwhile.");
            case "stopped" ->
                critical(
                        name + " doesn't run: " + shown.getString("because") + ".",
                        "Mend what it says. Pushes are kept for it meanwhile, and it is started again by itself or"
                                + " with its changed configuration.");
            case "slowed" -> failing(name, shown);
            case "stuck" ->
                critical(
                        name + " is stuck: a call has outlived its timeout and does not come back" + waiting(shown)
                                + ".",
                        "Nothing more reaches it until the call comes back or the gateway is restarted. See where it hangs:"
                                + " jcmd PID Thread.print.");
            case "paused" -> warning(name + " is paused" + waiting(shown) + ".", "Resume it when it may go on.");
            default -> running(name, shown);
        }
    }

    /** A consumer that is not configured is shown for what is kept of it; that it doesn't run is intended. */
    private void notConfigured(String name, JsonObject shown) {
        long deadLetters = shown.getLong("deadLetters", 0L);
        if (deadLetters > 0) {
            warning(
                    name + " is not configured, and still has " + Counted.of(deadLetters, "dead letter") + ".",
                    "They can't be retried until it is configured again: do that, or discard them with a reason.");
        }
    }

    /**
     * The breaker is open. If little comes in, attempts may go only to a few blocked lanes: then those lanes are the
     * problem. Without pushes to try, the breaker stays in the state that the last attempt left it in, which is no
     * problem.
     */
    private void failing(String name, JsonObject shown) {
        int blocked = shown.getInteger("lanesBlocked", 0);
        if (blocked > 0 && blocked < MANY_LANES) {
            lanes(name, Counted.of(blocked, "blocked lane"), shown);
        } else if (shown.getLong("lag", 0L) > 0) {
            JsonObject last = shown.getJsonObject("lastFailure");
            critical(
                    name + " fails everything"
                            + (last == null ? "" : ", the last time because of: " + last.getString("error")) + ".",
                    "Check what it delivers to. It gets a push now and then, and goes on by itself once it handles"
                            + " one.");
        }
    }

    private void lanes(String name, String lanes, JsonObject shown) {
        JsonObject failure = shown.getJsonObject("blockedBy");
        String which = failure == null
                ? ""
                : ": push " + failure.getLong("seq") + " fails with: " + failure.getString("error");
        warning(
                name + " has " + lanes + which + ".",
                "See which push blocks each, and mend what it fails for; it is tried again by itself.");
    }

    /** A push that waits in a blocked lane doesn't mean that the consumer is slow. A blocked lane that catches up is no problem. */
    private void running(String name, JsonObject shown) {
        int backingOff = shown.getInteger("lanesBackingOff", 0);
        double seconds = shown.getDouble("lagSeconds", 0.0);
        if (backingOff > 0) {
            lanes(name, Counted.of(backingOff, "lane") + " backing off", shown);
        } else if (seconds > OLD_SECONDS) {
            String age = Duration.ofSeconds((long) seconds).toString().substring(2);
            warning(
                    name + " is behind: its oldest push waits for " + age.toLowerCase(Locale.ROOT) + waiting(shown)
                            + ".",
                    "See whether it is slow or fails; its concurrency may be raised.");
        }
    }

    private static String waiting(JsonObject shown) {
        long lag = shown.getLong("lag", 0L);
        return lag == 0 ? "" : ", " + Counted.of(lag, "position") + " behind the newest push";
    }

    void deadLetters(long count) {
        if (count > 0) {
            warning(
                    (count == 1 ? "There is " : "There are ") + Counted.of(count, "dead letter")
                            + ", which consumers failed for good.",
                    "Look at their errors, mend the cause, and retry them; or discard them with a reason.");
        }
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
            critical(
                    "The access token can't be renewed: an authorization code is needed.",
                    "Get one from the platform, and exchange it: holdfast token exchange.");
        } else if (failed && state.equals("exchanging")) {
            warning("There is no access token yet: no authorization code could be exchanged.", tried);
        } else if (failed && state.equals("renewing")) {
            warning("The access token could not be renewed yet.", tried);
        }
        String store = token.getString("store", "");
        if (!store.isEmpty()) {
            warning(
                    "The access token's file: " + store,
                    "Put it right. If the state is needs-code, restart the gateway afterwards: that loads it.");
        }
    }

    void reload(@Nullable LastReload reload) {
        if (reload == null) {
            return;
        }
        if (!reload.accepted()) {
            warning(
                    "The changed configuration is refused: " + String.join("; ", reload.problems()),
                    "Correct the file. What ran before still runs.");
        } else if (!reload.needsRestart().isEmpty()) {
            warning(
                    "A part of the changed configuration waits for a restart: "
                            + String.join(", ", reload.needsRestart()),
                    "Restart the gateway when it suits.");
        }
    }

    private void critical(String text, String action) {
        add(critical, text, action);
    }

    private void warning(String text, String action) {
        add(warnings, text, action);
    }

    private void add(List<JsonObject> problems, String text, String action) {
        problems.add(new JsonObject()
                .put("severity", problems == critical ? "critical" : "warning")
                .put("text", text)
                .put("action", action));
    }

    JsonArray show() {
        JsonArray all = new JsonArray();
        critical.forEach(all::add);
        warnings.forEach(all::add);
        return all;
    }

    /**
     * One sentence: whether the gateway takes pushes, how many, and how many problems there are. Each problem is shown
     * beside it.
     */
    String summary(boolean ready, double acceptedRate) {
        String accepted = acceptedRate + " pushes a second accepted";
        if (critical.isEmpty() && warnings.isEmpty()) {
            return ready ? "All is well: ready, " + accepted + ", nothing waits for you." : "Not ready yet.";
        }
        String count = critical.isEmpty()
                ? Counted.of(warnings.size(), "thing") + " to look at"
                : Counted.of(critical.size(), "critical problem")
                        + (warnings.isEmpty() ? "" : " and " + Counted.of(warnings.size(), "warning"));
        return (ready ? "Ready, " + accepted : "Not ready") + ", with " + count + ".";
    }
}
