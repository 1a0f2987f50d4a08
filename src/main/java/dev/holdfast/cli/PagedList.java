package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.cli.terminal.OutputGoneException;
import dev.holdfast.cli.terminal.Progress;
import dev.holdfast.cli.terminal.TextTable;
import dev.holdfast.logging.Printable;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * One list out of pages of the API, written while they come: so a long list takes no more memory than a short one, and
 * ends when nobody reads it any more. As JSON it is an answer of the API with the items of all pages.
 */
final class PagedList {
    /** Rows that are looked at before it is settled how wide the columns are. */
    private static final int ROWS = 10_000;

    private final GatewayOptions gateway;
    private final String items;
    private final TextTable table;
    private final Progress progress;
    private final PrintWriter out;
    private @Nullable ObjectNode rest;
    private int size;

    /**
     * Begins it.
     *
     * @param items their name in a page
     * @param table without rows
     * @param progress makes room for what is written
     */
    PagedList(GatewayOptions gateway, String items, TextTable table, Progress progress) {
        this.gateway = gateway;
        this.items = items;
        this.table = table;
        this.progress = progress;
        this.out = gateway.out();
    }

    int size() {
        return size;
    }

    void add(JsonNode page) {
        JsonNode found = page.get(items);
        if (gateway.isJson()) {
            writeJson(found);
        } else {
            table.rows(found);
            if (table.size() >= ROWS) {
                writeRows();
            }
        }
        size += found.size();
        rest = withoutItems(page, rest);
    }

    void end() {
        if (gateway.isJson()) {
            progress.end();
            String others = rest == null ? "{}" : rest.toString();
            out.println("]" + (others.equals("{}") ? "}" : "," + Printable.json(others.substring(1))));
            return;
        }
        if (table.size() > 0) {
            writeRows();
        }
        if (rest != null && rest.path("next").isTextual()) {
            progress.say("more: --last with a larger number, or --cursor "
                    + rest.get("next").asText());
        }
    }

    private void writeJson(JsonNode found) {
        progress.end();
        if (rest == null) {
            out.print("{\"" + items + "\":[");
        }
        for (int i = 0; i < found.size(); i++) {
            out.print((size + i == 0 ? "" : ",") + Printable.json(found.get(i).toString()));
        }
        OutputGoneException.check(out);
    }

    private void writeRows() {
        progress.end();
        table.print(out, gateway.terminal());
        OutputGoneException.check(out);
    }

    /** What else the pages up to this one say, which is how far they have looked together. */
    private ObjectNode withoutItems(JsonNode page, @Nullable ObjectNode before) {
        ObjectNode others = ((ObjectNode) page).without(items);
        if (before != null && others.path("searched") instanceof ObjectNode searched) {
            long looked = before.path("searched").path("count").asLong();
            searched.put("count", looked + searched.path("count").asLong());
        }
        return others;
    }
}
