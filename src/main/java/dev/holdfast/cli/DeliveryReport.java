package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.cli.terminal.TextWidth;
import dev.holdfast.logging.Counted;
import java.io.PrintWriter;
import java.util.function.UnaryOperator;

/** Shows a push's state at each consumer: what became of it, and if it did not come through, why and what to do. */
final class DeliveryReport {
    private final PrintWriter out;
    private final Terminal terminal;
    private final UnaryOperator<String> next;

    /** @param next makes a whole command line of a verb and its options */
    DeliveryReport(PrintWriter out, Terminal terminal, UnaryOperator<String> next) {
        this.out = out;
        this.terminal = terminal;
        this.next = next;
    }

    void print(JsonNode deliveries, String seq) {
        if (deliveries.isEmpty()) {
            out.println("no consumer is configured");
            return;
        }
        int width = 0;
        for (JsonNode status : deliveries) {
            width = Math.max(width, TextWidth.of(Shown.text(status, "consumer")));
        }
        for (JsonNode status : deliveries) {
            print(status, seq, width);
        }
    }

    private void print(JsonNode status, String seq, int width) {
        String state = Shown.text(status, "state");
        out.println(TextWidth.pad(Shown.text(status, "consumer"), width, false) + "  "
                + terminal.paint(style(state), state) + ": " + said(state, status));
        String indent = " ".repeat(width + 2);
        if (status.has("lastError")) {
            out.println(indent + terminal.paint(Style.BAD, Shown.text(status, "lastError")));
        }
        String action = action(state, status, seq);
        if (!action.isEmpty()) {
            out.println(indent + terminal.paint(Style.DIM, action));
        }
    }

    private static Style style(String state) {
        return switch (state) {
            case "handled" -> Style.GOOD;
            case "dead", "discarded" -> Style.BAD;
            case "blocked", "behind" -> Style.WARNING;
            case "not-subscribed", "before-start" -> Style.DIM;
            default -> Style.ACCENT;
        };
    }

    private static String said(String state, JsonNode status) {
        return switch (state) {
            case "handled" -> "the consumer is past it, and it neither waits nor is a dead letter";
            case "waiting" -> reason(status, "its turn has not come");
            case "under-way" -> "the consumer has it";
            case "blocked" ->
                "failed after " + attempts(status)
                        + (status.has("nextAttemptAt")
                                ? ", the next at "
                                        + Shown.time(status, "nextAttemptAt").text()
                                : "; " + reason(status, "the next when its turn comes"));
            case "behind" ->
                "waits in its lane behind push " + Shown.text(status, "behindSeq") + ", which fails"
                        + (status.has("reason") ? "; " + Shown.text(status, "reason") : "");
            case "dead" ->
                "a dead letter after " + attempts(status) + ", the last at "
                        + Shown.time(status, "lastFailedAt").text();
            case "discarded" -> "was a dead letter, and was discarded: " + Shown.text(status, "reason");
            case "not-subscribed" -> reason(status, "no pattern of its events matches");
            case "before-start" -> "older than where the consumer started";
            default -> "";
        };
    }

    private static String reason(JsonNode status, String otherwise) {
        return status.has("reason") ? Shown.text(status, "reason") : otherwise;
    }

    private static String attempts(JsonNode status) {
        return Counted.of(status.path("attempts").asLong(), "attempt");
    }

    private String action(String state, JsonNode status, String seq) {
        String consumer = Shown.text(status, "consumer");
        return switch (state) {
            case "behind" -> "why: " + next.apply("pushes get " + Shown.text(status, "behindSeq"));
            case "waiting", "blocked" -> "more: " + next.apply("consumers get " + consumer);
            case "dead" ->
                "again, when what it says is mended: "
                        + next.apply("dead-letters retry --consumer " + consumer + " --seq " + seq);
            case "before-start", "discarded" ->
                "to deliver it all the same: "
                        + next.apply("pushes replay --from " + seq + " --to " + seq + " --consumer " + consumer);
            default -> "";
        };
    }
}
