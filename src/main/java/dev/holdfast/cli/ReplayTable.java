package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.StringJoiner;

/** Replays, a line for each consumer. */
final class ReplayTable {
    /** What the API may name beside positions. */
    private static final List<String> NARROWING =
            List.of("event", "pushId", "enterprise", "endpoint", "since", "until");

    private ReplayTable() {}

    static TextTable of(Iterable<JsonNode> replays) {
        TextTable table =
                new TextTable("REPLAY", "OF", "STATE", "FROM", "TO", "ONLY", "CONSUMER", "AT", "DELIVERED", "FAILED");
        for (JsonNode replay : replays) {
            for (JsonNode consumer : replay.get("consumers")) {
                table.add(
                        Shown.text(replay, "id"),
                        Shown.text(replay, "of"),
                        state(replay),
                        Shown.number(replay, "from"),
                        Shown.number(replay, "to"),
                        narrowed(replay),
                        Shown.text(consumer, "name"),
                        consumer.path("done").asBoolean() ? Cell.figure("done") : Shown.number(consumer, "next"),
                        Shown.number(consumer, "delivered"),
                        Cell.styled(
                                consumer.path("failed").asLong() > 0 ? Style.BAD : Style.PLAIN,
                                Shown.number(consumer, "failed")));
            }
        }
        return table;
    }

    private static Cell state(JsonNode replay) {
        String state = Shown.text(replay, "state");
        Style style =
                switch (state) {
                    case "done" -> replay.path("failed").asLong() > 0 ? Style.WARNING : Style.GOOD;
                    case "running" -> Style.ACCENT;
                    default -> Style.WARNING;
                };
        return Cell.styled(style, state);
    }

    /** What tells it from others of the same positions. */
    private static String narrowed(JsonNode replay) {
        StringJoiner shown = new StringJoiner(", ");
        shown.setEmptyValue("-");
        NARROWING.stream()
                .filter(replay::has)
                .forEach(key -> shown.add((key.equals("pushId") ? "id" : key) + " " + Shown.text(replay, key)));
        return shown.toString();
    }
}
