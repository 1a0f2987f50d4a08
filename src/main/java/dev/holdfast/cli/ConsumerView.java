package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** Consumers, as the API tells of them. */
final class ConsumerView {
    private ConsumerView() {}

    static TextTable table(JsonNode consumers) {
        TextTable table = new TextTable(
                        "CONSUMER", "STATE", "LAG", "OLDEST", "PER S", "BLOCKED", "DEAD", "LAST FAILURE")
                .dropping("PER S", "OLDEST")
                .lastBelow();
        for (JsonNode consumer : consumers) {
            table.add(
                    Shown.text(consumer, "name"),
                    state(consumer),
                    Shown.number(consumer, "lag"),
                    Cell.figure(Shown.seconds(consumer, "lagSeconds")),
                    Cell.figure(Shown.decimal(consumer, "rate")),
                    alarming(consumer, "lanesBlocked", Style.WARNING),
                    alarming(consumer, "deadLetters", Style.BAD),
                    consumer.has("because") ? Shown.text(consumer, "because") : failure(consumer));
        }
        return table;
    }

    private static Cell state(JsonNode consumer) {
        String state = Shown.text(consumer, "state");
        return Cell.styled(style(state), state);
    }

    static Style style(String state) {
        return switch (state) {
            case "running" -> Style.GOOD;
            case "paused", "slowed" -> Style.WARNING;
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
