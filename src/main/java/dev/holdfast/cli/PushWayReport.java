package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.cli.terminal.TextWidth;
import dev.holdfast.logging.Counted;
import java.io.PrintWriter;
import java.util.function.UnaryOperator;

/** Shows a push's way through each consumer: what became of it, and if it did not come through, why and what to do. */
final class PushWayReport {
    private final PrintWriter out;
    private final Terminal terminal;
    private final UnaryOperator<String> next;

    /** @param next makes a whole command line of a verb and its options */
    PushWayReport(PrintWriter out, Terminal terminal, UnaryOperator<String> next) {
        this.out = out;
        this.terminal = terminal;
        this.next = next;
    }

    void print(JsonNode way, String seq) {
        if (way.isEmpty()) {
            out.println("no consumer is configured");
            return;
        }
        int width = 0;
        for (JsonNode station : way) {
            width = Math.max(width, TextWidth.of(Shown.text(station, "consumer")));
        }
        for (JsonNode station : way) {
            print(station, seq, width);
        }
    }

    private void print(JsonNode station, String seq, int width) {
        String state = Shown.text(station, "state");
        out.println(TextWidth.pad(Shown.text(station, "consumer"), width, false) + "  "
                + terminal.paint(style(state), state) + ": " + said(state, station));
        String indent = " ".repeat(width + 2);
        if (station.has("lastError")) {
            out.println(indent + terminal.paint(Style.BAD, Shown.text(station, "lastError")));
        }
        String action = action(state, station, seq);
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

    private static String said(String state, JsonNode station) {
        return switch (state) {
            case "handled" -> "the consumer is past it, and it neither waits nor is a dead letter";
            case "waiting" -> reason(station, "its turn has not come");
            case "under-way" -> "the consumer has it";
            case "blocked" ->
                "failed after " + attempts(station)
                        + (station.has("nextAttemptAt")
                                ? ", the next at "
                                        + Shown.time(station, "nextAttemptAt").text()
                                : "; " + reason(station, "the next when its turn comes"));
            case "behind" ->
                "waits in its lane behind push " + Shown.text(station, "behindSeq") + ", which fails"
                        + (station.has("reason") ? "; " + Shown.text(station, "reason") : "");
            case "dead" ->
                "a dead letter after " + attempts(station) + ", the last at "
                        + Shown.time(station, "lastFailedAt").text();
            case "discarded" -> "was a dead letter, and was discarded: " + Shown.text(station, "reason");
            case "not-subscribed" -> reason(station, "no pattern of its events matches");
            case "before-start" -> "older than where the consumer started";
            default -> "";
        };
    }

    private static String reason(JsonNode station, String otherwise) {
        return station.has("reason") ? Shown.text(station, "reason") : otherwise;
    }

    private static String attempts(JsonNode station) {
        return Counted.of(station.path("attempts").asLong(), "attempt");
    }

    private String action(String state, JsonNode station, String seq) {
        String consumer = Shown.text(station, "consumer");
        return switch (state) {
            case "behind" -> "why: " + next.apply("pushes get " + Shown.text(station, "behindSeq"));
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
