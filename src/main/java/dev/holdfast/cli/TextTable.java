package dev.holdfast.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rows under a heading, each column as wide as its widest cell. On a terminal that is too narrow the widest columns are cut, but
 * not those of figures and times.
 */
final class TextTable {
    private static final String GAP = "  ";
    private static final int LEAST_WIDTH = 8;

    private final List<String> heading;
    private final List<List<Cell>> rows = new ArrayList<>();

    TextTable(String... heading) {
        this.heading = List.of(heading);
    }

    /** As many cells as the heading has: a {@link Cell}, or what {@link Cell#of} makes one of. */
    void add(Object... cells) {
        rows.add(Stream.of(cells).map(Cell::of).toList());
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    void print(PrintWriter out, Terminal terminal) {
        int[] widths = fit(terminal.columns());
        List<Cell> titles = new ArrayList<>();
        for (int column = 0; column < heading.size(); column++) {
            titles.add(new Cell(heading.get(column), Style.BOLD, isOfNumbers(column), true));
        }
        out.println(line(titles, widths, terminal));
        rows.forEach(row -> out.println(line(row, widths, terminal)));
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

    /** The columns' widths, together not more than so many where that can be had. */
    private int[] fit(int columns) {
        int[] widths = new int[heading.size()];
        int excess = GAP.length() * (widths.length - 1) - columns;
        for (int column = 0; column < widths.length; column++) {
            widths[column] = width(column);
            excess += widths[column];
        }
        while (excess > 0) {
            int widest = widestToCut(widths);
            if (widest < 0) {
                break;
            }
            widths[widest]--;
            excess--;
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
