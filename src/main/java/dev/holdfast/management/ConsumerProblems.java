package dev.holdfast.management;

import dev.holdfast.logging.Counted;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Locale;

/** What is wrong with a gateway's consumers, in words, and what to do about each. */
final class ConsumerProblems {
    /** A backlog older than this is no ordinary lag. */
    private static final double OLD_SECONDS = 300;

    /** When the first pushes of this many lanes fail, the fault is hardly the pushes'. */
    private static final int MANY_LANES = 10;

    private final ProblemList problems;

    ConsumerProblems(ProblemList problems) {
        this.problems = problems;
    }

    /** @param shown as the API shows it */
    void add(JsonObject shown) {
        String name = "Consumer " + shown.getString("name");
        if (shown.getJsonArray("events").isEmpty()) {
            notConfigured(name, shown);
            return;
        }
        switch (shown.getString("state", "running")) {
            case "starting" ->
                problems.warning(
                        name + " is still starting" + waiting(shown),
                        "Wait, or see what its start waits for. Pushes are kept for it meanwhile.");
            case "stopped" ->
                problems.critical(
                        name + " doesn't run: " + shown.getString("because"),
                        "Mend what it says. Pushes are kept for it meanwhile, and it is started again by itself or"
                                + " with its changed configuration.");
            case "slowed" -> failing(name, shown);
            case "stuck" ->
                problems.critical(
                        name + " is stuck: a call has outlived its timeout and does not come back" + waiting(shown),
                        "Nothing more reaches it until the call comes back or the gateway is restarted. See where it hangs:"
                                + " jcmd PID Thread.print.");
            case "paused" -> problems.warning(name + " is paused" + waiting(shown), "Resume it when it may go on.");
            default -> running(name, shown);
        }
    }

    /** A consumer that is not configured is shown for what is kept of it; that it doesn't run is intended. */
    private void notConfigured(String name, JsonObject shown) {
        long deadLetters = shown.getLong("deadLetters", 0L);
        if (deadLetters > 0) {
            problems.warning(
                    name + " is not configured, and still has " + Counted.of(deadLetters, "dead letter"),
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
            problems.critical(
                    name + " fails everything"
                            + (last == null ? "" : ", the last time because of: " + last.getString("error")),
                    "Check what it delivers to. It gets a push now and then, and goes on by itself once it handles"
                            + " one.");
        }
    }

    private void lanes(String name, String lanes, JsonObject shown) {
        JsonObject failure = shown.getJsonObject("blockedBy");
        String which = failure == null
                ? ""
                : ": push " + failure.getLong("seq") + " fails with: " + failure.getString("error");
        problems.warning(
                name + " has " + lanes + which,
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
            problems.warning(
                    name + " is behind: its oldest push waits for " + age.toLowerCase(Locale.ROOT) + waiting(shown),
                    "See whether it is slow or fails; its concurrency may be raised.");
        }
    }

    private static String waiting(JsonObject shown) {
        long lag = shown.getLong("lag", 0L);
        return lag == 0 ? "" : ", " + Counted.of(lag, "position") + " behind the newest push";
    }

    void deadLetters(long count) {
        if (count > 0) {
            problems.warning(
                    (count == 1 ? "There is " : "There are ") + Counted.of(count, "dead letter")
                            + ", which consumers failed for good.",
                    "Look at their errors, mend the cause, and retry them; or discard them with a reason.");
        }
    }
}
