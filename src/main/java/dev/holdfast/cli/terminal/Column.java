package dev.holdfast.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A column of a table of items as the API shows them.
 *
 * @param title what stands over it
 * @param cell what stands in it for an item: a {@link Cell}, or what {@link Cell#of} makes one of
 */
public record Column(String title, Function<JsonNode, ?> cell) {
    /**
     * A column that shows a field.
     *
     * @param form how it is shown, one of {@link Shown}'s
     */
    public static Column of(String title, BiFunction<JsonNode, String, ?> form, String field) {
        return new Column(title, item -> form.apply(item, field));
    }

    /** The same in a colour. */
    public Column styled(Style style) {
        return new Column(title, item -> Cell.styled(style, cell.apply(item)));
    }

    /** The same in brief, for where there is little room. */
    Column shortened() {
        return new Column(title, item -> Cell.of(cell.apply(item)).shortened());
    }
}
