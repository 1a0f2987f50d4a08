package dev.holdfast.cli;

import dev.holdfast.logging.Printable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Rows under a heading, each column as wide as its widest cell. */
final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... heading) {
        rows.add(List.of(heading));
    }

    /** As many cells as the heading has. */
    void add(Object... cells) {
        rows.add(Stream.of(cells).map(cell -> Printable.line(cell.toString())).toList());
    }

    void print(PrintWriter out) {
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(cell)
                        .append(" ".repeat(width(column) - cell.length()))
                        .append(GAP);
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
