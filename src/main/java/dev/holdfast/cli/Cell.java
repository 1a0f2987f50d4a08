package dev.holdfast.cli;

import dev.holdfast.logging.Printable;

/**
 * What stands in a table's row and column.
 *
 * @param number it ends where the others of its column do, and is never cut
 * @param whole it is never cut
 * @param brief what stands there where there is little room
 */
record Cell(String text, Style style, boolean number, boolean whole, String brief) {
    Cell {
        text = Printable.line(text);
        brief = Printable.line(brief);
    }

    private Cell(String text, Style style, boolean number, boolean whole) {
        this(text, style, number, whole, text);
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

    /** Over a column. */
    static Cell title(String text, boolean number) {
        return new Cell(text, Style.BOLD, number, true);
    }

    /** Never cut. */
    static Cell whole(String text) {
        return new Cell(text, Style.PLAIN, false, true);
    }

    /** Never cut, and written shorter where there is little room. */
    static Cell time(String text, String brief) {
        return new Cell(text, Style.PLAIN, false, true, brief);
    }

    /** A figure with a unit. */
    static Cell figure(String text) {
        return new Cell(text, Style.PLAIN, true, true);
    }

    /** For where there is little room. */
    Cell shortened() {
        return new Cell(brief, style, number, whole);
    }
}
