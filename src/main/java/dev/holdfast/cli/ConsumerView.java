package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** Consumers, as the API tells of them. */
final class ConsumerView {
    private ConsumerView() {}

    static TextTable table(JsonNode consumers) {
        return new TextTable(
                        Column.of("CONSUMER", Shown::text, "name"),
                        new Column("STATE", ConsumerView::state),
                        Column.of("LAG", Shown::number, "lag"),
                        new Column("OLDEST", consumer -> Cell.figure(Shown.seconds(consumer, "lagSeconds"))),
                        new Column("PER S", consumer -> Cell.figure(Shown.decimal(consumer, "rate"))),
                        new Column("BLOCKED", consumer -> alarming(consumer, "lanesBlocked", Style.WARNING)),
                        new Column("DEAD", consumer -> alarming(consumer, "deadLetters", Style.BAD)),
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

    private static Cell alarming(JsonNode consumer, String field, Style style) {
        return Cell.styled(consumer.path(field).asLong() > 0 ? style : Style.PLAIN, Shown.number(consumer, field));
    }

    static String failure(JsonNode consumer) {
        JsonNode failure = consumer.path("lastFailure");
        return failure.isMissingNode()
                ? "-"
                : Shown.time(failure, "at").text() + " seq " + Shown.text(failure, "seq") + ": "
                        + Shown.text(failure, "error");
    }
}
