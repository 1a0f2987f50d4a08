package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows under a heading, each column as wide as its widest cell. On a terminal that is too narrow times are shortened, then columns
 * that say least are left out, and at last the widest columns are cut, but not those of figures and times. What is longer than a
 * line, such as an error, stands below its row.
 */
final class TextTable {
    private static final String GAP = "  ";
    private static final String INDENT = "    ";
    private static final int LEAST_WIDTH = 8;

    private final List<String> heading;
    private final List<Column> columns;
    private final List<List<Cell>> rows = new ArrayList<>();
    private List<String> dropped = List.of();
    private boolean below;

    TextTable(String... heading) {
        this.heading = List.of(heading);
        this.columns = List.of();
    }

    TextTable(Column... columns) {
        this.heading = Stream.of(columns).map(Column::title).toList();
        this.columns = List.of(columns);
    }

    /** The first columns to do without, in that order. */
    TextTable dropping(String... columns) {
        dropped = List.of(columns);
        return this;
    }

    /** Where there is no room for the last column it stands below each row, whole. */
    TextTable lastBelow() {
        below = true;
        return this;
    }

    /** A row for each item. */
    TextTable rows(Iterable<JsonNode> items) {
        items.forEach(item ->
                add(columns.stream().map(column -> column.cell().apply(item)).toArray()));
        return this;
    }

    /** As many cells as the heading has: a {@link Cell}, or what {@link Cell#of} makes one of. */
    void add(Object... cells) {
        rows.add(Stream.of(cells).map(Cell::of).toList());
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    void print(PrintWriter out, Terminal terminal) {
        int room = terminal.columns();
        if (width() <= room) {
            printRows(out, terminal);
            return;
        }
        TextTable narrow = withBriefTimes();
        if (narrow.width() > room && below) {
            narrow = narrow.without(heading.size() - 1);
            narrow.fitted(dropped, room).print(out, terminal, rows);
        } else {
            narrow.fitted(dropped, room).printRows(out, terminal);
        }
    }

    /** As wide as may be had by leaving columns out. */
    private TextTable fitted(List<String> columns, int room) {
        TextTable fitted = this;
        for (String column : columns) {
            if (fitted.width() > room) {
                fitted = fitted.without(fitted.heading.indexOf(column));
            }
        }
        return fitted;
    }

    private TextTable withBriefTimes() {
        TextTable brief = new TextTable(heading.toArray(String[]::new));
        rows.forEach(row -> brief.rows.add(row.stream().map(Cell::shortened).toList()));
        return brief;
    }

    private TextTable without(int column) {
        TextTable rest = new TextTable(without(heading, column).toArray(String[]::new));
        rows.forEach(row -> rest.rows.add(without(row, column)));
        return rest;
    }

    private static <T> List<T> without(List<T> all, int index) {
        return IntStream.range(0, all.size())
                .filter(i -> i != index)
                .mapToObj(all::get)
                .toList();
    }

    private void printRows(PrintWriter out, Terminal terminal) {
        print(out, terminal, List.of());
    }

    /** @param whole rows whose last cells stand below these; empty: none */
    private void print(PrintWriter out, Terminal terminal, List<List<Cell>> whole) {
        int[] widths = fit(terminal.columns());
        List<Cell> titles = new ArrayList<>();
        for (int column = 0; column < heading.size(); column++) {
            titles.add(Cell.title(heading.get(column), isOfNumbers(column)));
        }
        out.println(line(titles, widths, terminal));
        for (int i = 0; i < rows.size(); i++) {
            out.println(line(rows.get(i), widths, terminal));
            if (!whole.isEmpty()) {
                List<Cell> row = whole.get(i);
                printBelow(row.get(row.size() - 1), out, terminal);
            }
        }
    }

    private static void printBelow(Cell last, PrintWriter out, Terminal terminal) {
        if (!last.text().equals(Shown.NOTHING)) {
            TextWidth.wrap(last.text(), terminal.columns() - INDENT.length())
                    .forEach(line -> out.println(INDENT + terminal.paint(last.style(), line)));
        }
    }

    private boolean isOfNumbers(int column) {
        return !rows.isEmpty() && rows.stream().allMatch(row -> row.get(column).number());
    }

    private static String line(List<Cell> row, int[] widths, Terminal terminal) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            Cell cell = row.get(column);
            String shown = cell.whole() ? cell.text() : TextWidth.cut(cell.text(), widths[column]);
            String padded = TextWidth.pad(shown, widths[column], cell.number());
            boolean last = column == row.size() - 1;
            line.append(terminal.paint(cell.style(), last ? padded.stripTrailing() : padded))
                    .append(last ? "" : GAP);
        }
        return line.toString().stripTrailing();
    }

    /** Of its longest line, when nothing is cut. */
    private int width() {
        return IntStream.range(0, heading.size()).map(this::width).sum() + GAP.length() * (heading.size() - 1);
    }

    /** The columns' widths, together not more than so many where that can be had. */
    private int[] fit(int columns) {
        int[] widths = IntStream.range(0, heading.size()).map(this::width).toArray();
        for (int excess = width() - columns; excess > 0; excess--) {
            int widest = widestToCut(widths);
            if (widest < 0) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private int widestToCut(int[] widths) {
        int widest = -1;
        for (int column = 0; column < widths.length; column++) {
            int least = Math.max(LEAST_WIDTH, TextWidth.of(heading.get(column)));
            if (widths[column] > least && !isWhole(column) && (widest < 0 || widths[column] > widths[widest])) {
                widest = column;
            }
        }
        return widest;
    }

    private boolean isWhole(int column) {
        return rows.stream().anyMatch(row -> row.get(column).whole());
    }

    private int width(int column) {
        int widest = rows.stream()
                .mapToInt(row -> TextWidth.of(row.get(column).text()))
                .max()
                .orElse(0);
        return Math.max(widest, TextWidth.of(heading.get(column)));
    }
}
