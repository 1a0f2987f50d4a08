package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Facts;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.Terminal;
import dev.holdfast.cli.terminal.TextWidth;
import dev.holdfast.logging.Counted;
import dev.holdfast.logging.Printable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Writes the overview on a screen. */
final class StatusScreen {
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final int MOST_BARS = 60;

    private static final String INDENT = " ".repeat(10);
    private final PrintWriter result;
    private final Terminal terminal;
    private final int rows;
    private final StringWriter screen = new StringWriter();
    private final PrintWriter out = new PrintWriter(screen, true);
    private final Facts facts;

    /** @param rows that there is room for; lines that don't fit are counted instead, from the end */
    StatusScreen(PrintWriter result, Terminal terminal, int rows) {
        this.result = result;
        this.terminal = terminal;
        this.rows = rows;
        this.facts = new Facts(out, terminal);
    }

    void print(JsonNode overview) {
        verdict(overview);
        overview.path("problems").forEach(this::problem);
        figures(overview);
        List<String> lines = screen.toString().lines().toList();
        int fitting = lines.size() > rows ? rows - 1 : lines.size();
        lines.subList(0, fitting).forEach(result::println);
        if (fitting < lines.size()) {
            result.println(terminal.paint(
                    Style.WARNING, "and " + Counted.of((long) lines.size() - fitting, "more line")));
        }
    }

    private void figures(JsonNode overview) {
        out.println();
        pushes(overview);
        disk(overview.path("disk"));
        facts.say("dead letters", alarming(overview, "deadLetters"), number(overview, "deadLetters"));
        facts.say("quarantine", alarming(overview, "quarantine"), number(overview, "quarantine"));
        token(overview.path("token"));
        facts.say("running", Shown.text(overview, "version") + " for " + uptime(overview));
        if (!overview.path("consumers").isEmpty()) {
            out.println();
            ConsumerView.table(overview.get("consumers")).print(out, terminal);
        }
    }

    private void verdict(JsonNode overview) {
        boolean ready = overview.path("ready").asBoolean();
        boolean well = ready && overview.path("problems").isEmpty();
        Style style = well ? Style.GOOD : ready ? Style.WARNING : Style.BAD;
        wrapped(well ? "● " : "▲ ", "  ", style, style, Shown.text(overview, "summary"));
    }

    private void problem(JsonNode problem) {
        boolean critical = isCritical(problem);
        out.println();
        wrapped(
                critical ? "critical  " : "warning   ",
                INDENT,
                critical ? Style.BAD : Style.WARNING,
                Style.PLAIN,
                Printable.line(problem.path("text").asText()));
        wrapped(
                INDENT,
                INDENT,
                Style.PLAIN,
                Style.DIM,
                Printable.line(problem.path("action").asText()));
    }

    /** Within the terminal's width, later lines below the first. */
    private void wrapped(String first, String later, Style label, Style style, String text) {
        String before = terminal.paint(label, first);
        for (String line : TextWidth.wrap(text, terminal.columns() - TextWidth.of(first))) {
            out.println(before + terminal.paint(style, line));
            before = later;
        }
    }

    private void pushes(JsonNode overview) {
        JsonNode totals = overview.path("totals");
        JsonNode rates = overview.path("rates");
        JsonNode latency = overview.path("latency");
        facts.say(
                "accepted",
                Shown.decimal(rates, "accepted") + " a second, " + number(totals, "accepted") + " since the start, "
                        + Counted.of(totals.path("duplicates").asLong(), "duplicate"));
        bars(overview.path("history").path("accepted"));
        facts.say("refused", Shown.decimal(rates, "refused") + " a second" + refused(totals.path("refused")));
        facts.say(
                "answered in",
                latency.has("p50")
                        ? milliseconds(latency, "p50") + " (median), " + milliseconds(latency, "p99") + " (p99), "
                                + milliseconds(latency, "max") + " (most)"
                        : "nothing came in the last ten seconds");
    }

    private static String refused(JsonNode causes) {
        StringJoiner list = new StringJoiner(", ", "; since the start: ", "");
        list.setEmptyValue("");
        causes.properties().forEach(cause -> {
            if (cause.getValue().asLong() > 0) {
                list.add(Printable.line(cause.getKey()) + " " + cause.getValue().asLong());
            }
        });
        return list.toString();
    }

    /** The last minutes' rate in bars. */
    private void bars(JsonNode history) {
        double most = 0;
        for (JsonNode rate : history) {
            most = Math.max(most, rate.asDouble());
        }
        if (most == 0 || !terminal.isInteractive()) {
            return;
        }
        StringBuilder bars = new StringBuilder();
        for (int i = Math.max(0, history.size() - MOST_BARS); i < history.size(); i++) {
            int height = (int) Math.round(history.get(i).asDouble() / most * (BARS.length() - 1));
            bars.append(BARS.charAt(height));
        }
        facts.say("", Style.ACCENT, bars.toString());
    }

    private void disk(JsonNode disk) {
        int step = disk.path("step").asInt();
        long free = disk.path("free").asLong();
        facts.say(
                "disk",
                step == 0 ? Style.PLAIN : Style.BAD,
                (free < 0
                                ? "it does not say how much is free, "
                                : Shown.bytes(free) + " free of "
                                        + Shown.bytes(disk.path("size").asLong()) + ", ")
                        + Shown.bytes(disk.path("reserve").asLong()) + " in reserve"
                        + (step == 0 ? "" : ", step " + step + " of 4 of the disk ladder"));
    }

    private void token(JsonNode token) {
        if (token.isObject()) {
            facts.say(
                    "token",
                    Shown.text(token, "state")
                            + (token.has("expiresInSeconds")
                                    ? ", for another " + Shown.seconds(token, "expiresInSeconds")
                                    : ""));
        }
    }

    private static String uptime(JsonNode overview) {
        Instant since = Instant.parse(overview.path("upSince").asText());
        Instant at = Instant.parse(overview.path("at").asText());
        return Shown.span(Math.max(0, Duration.between(since, at).toSeconds()));
    }

    private static Style alarming(JsonNode overview, String field) {
        return overview.path(field).asLong() > 0 ? Style.WARNING : Style.PLAIN;
    }

    private static String number(JsonNode object, String field) {
        return String.format(Locale.ROOT, "%,d", object.path(field).asLong());
    }

    private static String milliseconds(JsonNode latency, String field) {
        return String.format(Locale.ROOT, "%.1f ms", latency.path(field).asDouble());
    }

    static boolean isCritical(JsonNode problem) {
        return problem.path("severity").asText().equals("critical");
    }
}
