package dev.holdfast.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows under a heading, each column as wide as its widest cell. If the terminal is too narrow, first times are
 * shortened, then the least important columns are left out, and at last the widest columns are cut, except those of
 * figures and times. A last column of long texts, such as errors, can go below each row. A long table is printed in parts.
 */
public final class TextTable {
    private static final String GAP = "  ";
    private static final String INDENT = "    ";
    private static final int LEAST_WIDTH = 8;

    private final List<Column> columns;
    private final List<JsonNode> rows = new ArrayList<>();
    private List<String> dropped = List.of();
    private boolean below;
    private @Nullable Column last;
    private int[] widths = {};

    /** A column's cells. */
    private record Strip(String title, List<Cell> cells) {
        static Strip of(Column column, List<JsonNode> rows) {
            return new Strip(
                    column.title(),
                    rows.stream().map(row -> Cell.of(column.cell().apply(row))).toList());
        }

        Cell heading() {
            return Cell.title(title, !cells.isEmpty() && cells.stream().allMatch(Cell::number));
        }

        /** Width if nothing is cut. */
        int width() {
            return Stream.concat(Stream.of(title), cells.stream().map(Cell::text))
                    .mapToInt(TextWidth::of)
                    .max()
                    .orElse(0);
        }

        /** Width if as much is cut as possible. */
        int leastWidth() {
            return cells.stream().anyMatch(Cell::whole) ? width() : Math.max(LEAST_WIDTH, TextWidth.of(title));
        }
    }

    public TextTable(Column... columns) {
        this.columns = new ArrayList<>(List.of(columns));
    }

    /** Names the columns to leave out first, in that order. */
    public TextTable dropping(String... columns) {
        dropped = List.of(columns);
        return this;
    }

    /** Puts the last column, uncut, below each row if there is no room beside it. */
    public TextTable lastBelow() {
        below = true;
        return this;
    }

    /** A row for each item. */
    public TextTable rows(Iterable<JsonNode> items) {
        items.forEach(rows::add);
        return this;
    }

    /** How many rows are not yet printed. */
    public int size() {
        return rows.size();
    }

    /** Prints the rows. Those that are added afterwards are printed below them, in the same columns, which at most grow. */
    public void print(PrintWriter out, Terminal terminal) {
        boolean begun = widths.length > 0;
        if (!begun) {
            chooseColumns(terminal.columns());
        }
        List<Strip> strips = strips();
        widths = fit(strips, terminal.columns());
        if (!begun) {
            out.println(line(strips, widths, terminal, Strip::heading));
        }
        for (int i = 0; i < rows.size(); i++) {
            int row = i;
            out.println(line(strips, widths, terminal, strip -> strip.cells().get(row)));
            printBelow(last == null ? null : Cell.of(last.cell().apply(rows.get(row))), out, terminal);
        }
        rows.clear();
    }

    /** Leaves out, or puts below, what there is no room for. */
    private void chooseColumns(int room) {
        if (width(strips()) > room) {
            columns.replaceAll(Column::shortened);
            if (below && width(strips()) > room) {
                last = columns.remove(columns.size() - 1);
            }
            for (String title : dropped) {
                if (width(strips()) > room) {
                    columns.removeIf(column -> column.title().equals(title));
                }
            }
        }
    }

    private List<Strip> strips() {
        return columns.stream().map(column -> Strip.of(column, rows)).toList();
    }

    private static void printBelow(@Nullable Cell last, PrintWriter out, Terminal terminal) {
        if (last != null && !last.text().equals(Shown.NOTHING)) {
            TextWidth.wrap(last.text(), terminal.columns() - INDENT.length())
                    .forEach(line -> out.println(INDENT + terminal.paint(last.style(), line)));
        }
    }

    private static String line(List<Strip> strips, int[] widths, Terminal terminal, Function<Strip, Cell> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            Cell cell = cells.apply(strips.get(i));
            String shown = cell.whole() ? cell.text() : TextWidth.cut(cell.text(), widths[i]);
            String padded = TextWidth.pad(shown, widths[i], cell.number());
            boolean last = i == widths.length - 1;
            line.append(terminal.paint(cell.style(), last ? padded.stripTrailing() : padded))
                    .append(last ? "" : GAP);
        }
        return line.toString().stripTrailing();
    }

    /** Width of the longest line if nothing is cut. */
    private static int width(List<Strip> strips) {
        return total(strips.stream().mapToInt(Strip::width).toArray());
    }

    private static int total(int[] widths) {
        return IntStream.of(widths).sum() + GAP.length() * (widths.length - 1);
    }

    /** The columns' widths, together no more than {@code room} if possible: the widest one is cut, again and again. */
    private int[] fit(List<Strip> strips, int room) {
        int[] before = Arrays.copyOf(widths, strips.size());
        int[] fitted = strips.stream().mapToInt(Strip::width).toArray();
        Arrays.setAll(fitted, i -> Math.max(before[i], fitted[i]));
        int[] least = strips.stream().mapToInt(Strip::leastWidth).toArray();
        for (int excess = total(fitted) - room; excess > 0; excess--) {
            int widest = -1;
            for (int i = 0; i < fitted.length; i++) {
                if (fitted[i] > least[i] && (widest < 0 || fitted[i] > fitted[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                break;
            }
            fitted[widest]--;
        }
        return fitted;
    }
}
