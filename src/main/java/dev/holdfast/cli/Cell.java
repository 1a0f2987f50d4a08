package dev.holdfast.cli;

import dev.holdfast.logging.Printable;

/**
 * What stands in a table's row and column.
 *
 * @param number it ends where the others of its column do, and is never cut
 * @param whole it is never cut
 */
record Cell(String text, Style style, boolean number, boolean whole) {
    Cell {
        text = Printable.line(text);
    }

    /** Plain; a {@link Number} as one; a cell as it is. */
    static Cell of(Object value) {
        return value instanceof Cell cell
                ? cell
                : new Cell(value.toString(), Style.PLAIN, value instanceof Number, value instanceof Number);
    }

    /** In a colour, cut where there is no room. */
    static Cell styled(Style style, Object value) {
        Cell plain = of(value);
        return new Cell(plain.text, style, plain.number, plain.whole);
    }

    /** Never cut, such as a time. */
    static Cell whole(String text) {
        return new Cell(text, Style.PLAIN, false, true);
    }

    /** A figure with a unit. */
    static Cell figure(String text) {
        return new Cell(text, Style.PLAIN, true, true);
    }
}
