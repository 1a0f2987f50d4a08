package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Cell;
import dev.holdfast.cli.terminal.Column;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.TextTable;

/** Shows consumers as the API describes them. */
final class ConsumerView {
    private ConsumerView() {}

    static TextTable table(JsonNode consumers) {
        return new TextTable(
                        Column.of("CONSUMER", Shown::text, "name"),
                        new Column("STATE", ConsumerView::state),
                        Column.of("LAG", Shown::number, "lag"),
                        new Column("OLDEST", consumer -> Cell.figure(Shown.seconds(consumer, "lagSeconds"))),
                        new Column("PER S", consumer -> Cell.figure(Shown.decimal(consumer, "rate"))),
                        Column.of("BLOCKED", Shown.alarming(Style.WARNING), "lanesBlocked"),
                        Column.of("DEAD", Shown.alarming(Style.BAD), "deadLetters"),
                        new Column(
                                "LAST FAILURE",
                                consumer ->
                                        consumer.has("because") ? Shown.text(consumer, "because") : failure(consumer)))
                .dropping("PER S", "OLDEST")
                .lastBelow()
                .rows(consumers);
    }

    private static Cell state(JsonNode consumer) {
        String state = Shown.text(consumer, "state");
        return Cell.styled(style(state), state);
    }

    static Style style(String state) {
        return switch (state) {
            case "running" -> Style.GOOD;
            case "paused", "slowed", "starting" -> Style.WARNING;
            default -> Style.BAD;
        };
    }

    static String failure(JsonNode consumer) {
        JsonNode failure = consumer.path("lastFailure");
        return failure.isMissingNode()
                ? "-"
                : Shown.time(failure, "at").text() + " seq " + Shown.text(failure, "seq") + ": "
                        + Shown.text(failure, "error");
    }
}
