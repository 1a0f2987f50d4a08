package dev.holdfast.management;

import dev.holdfast.logging.Counted;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What is wrong, and what to do about each: the worst first. Gathered once for each answer. */
final class ProblemList {
    private final List<JsonObject> critical = new ArrayList<>();
    private final List<JsonObject> warnings = new ArrayList<>();

    void critical(String text, String action) {
        add(true, text, action);
    }

    void warning(String text, String action) {
        add(false, text, action);
    }

    /** @param text a sentence; it may be a question, and what it quotes may have its full stop already */
    void add(boolean isCritical, String text, String action) {
        (isCritical ? critical : warnings)
                .add(new JsonObject()
                        .put("severity", isCritical ? "critical" : "warning")
                        .put("text", text.endsWith(".") || text.endsWith("?") ? text : text + ".")
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
