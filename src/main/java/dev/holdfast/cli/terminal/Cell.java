package dev.holdfast.cli.terminal;

import dev.holdfast.logging.Printable;

/**
 * The content of one row and column of a table.
 *
 * @param number whether it is aligned to the right, and never cut
 * @param whole whether it is never cut
 * @param brief what is shown instead where there is little room
 */
public record Cell(String text, Style style, boolean number, boolean whole, String brief) {
    public Cell {
        text = Printable.line(text);
        brief = Printable.line(brief);
    }

    private Cell(String text, Style style, boolean number, boolean whole) {
        this(text, style, number, whole, text);
    }

    /** A cell in no colour; a {@link Number} is aligned as one, a cell stays as it is. */
    static Cell of(Object value) {
        return value instanceof Cell cell
                ? cell
                : new Cell(value.toString(), Style.PLAIN, value instanceof Number, value instanceof Number);
    }

    /** A cell in a colour, cut if there is no room. */
    public static Cell styled(Style style, Object value) {
        Cell plain = of(value);
        return new Cell(plain.text, style, plain.number, plain.whole);
    }

    /** A column's title. */
    static Cell title(String text, boolean number) {
        return new Cell(text, Style.BOLD, number, true);
    }

    /** A cell that is never cut. */
    public static Cell whole(String text) {
        return new Cell(text, Style.PLAIN, false, true);
    }

    /** A cell that is never cut, but written shorter where there is little room. */
    static Cell time(String text, String brief) {
        return new Cell(text, Style.PLAIN, false, true, brief);
    }

    /** A figure with a unit. */
    public static Cell figure(String text) {
        return new Cell(text, Style.PLAIN, true, true);
    }

    /** The brief form, for where there is little room. */
    Cell shortened() {
        return new Cell(brief, style, number, whole);
    }
}
