package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.cli.terminal.Progress;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every verb that lists what the API gives in pages, newest first, and the listing itself. */
final class Paging {
    private static final int LARGEST_PAGE = 1000;

    @Option(names = "--last", paramLabel = "N", description = "How many, the newest first. Default: 20")
    private int last = 20;

    @Option(names = "--cursor", paramLabel = "PLACE", description = "Go on where an earlier list has ended.")
    private @Nullable String cursor;

    /** Finds the message for an empty list. */
    interface Nothing {
        String words(ManagementClient client) throws IOException, InterruptedException;
    }

    void list(GatewayOptions gateway, String path, String items, RequestParameters chosen, TextTable table)
            throws IOException, InterruptedException {
        list(gateway, path, items, chosen, table, client -> "none");
    }

    /**
     * Gets page after page and shows them as one list. A search may end before its page is full.
     *
     * @param path the list's in the API
     * @param items their name in the answer
     * @param table without rows
     */
    void list(
            GatewayOptions gateway,
            String path,
            String items,
            RequestParameters chosen,
            TextTable table,
            Nothing nothing)
            throws IOException, InterruptedException {
        if (last < 1) {
            throw gateway.usedWrongly("--last: found " + last + ", expected a number from 1 on");
        }
        ManagementClient client = gateway.client();
        Output.Words words = (page, out) -> print(gateway, table.rows(page.get(items)), page, out);
        Progress progress = gateway.progress();
        JsonNode answer = page(client, path, items, chosen, last);
        while (answer.path("next").isTextual() && answer.get(items).size() < last) {
            progress.show(looked(answer));
            cursor = answer.get("next").asText();
            int missing = last - answer.get(items).size();
            JsonNode more = gateway.more(answer, words, progress, () -> page(client, path, items, chosen, missing));
            answer = joined(items, answer, more);
        }
        progress.end();
        String none = gateway.isJson() || !answer.get(items).isEmpty() ? "" : nothing.words(client);
        gateway.show(answer, (page, out) -> {
            if (!none.isEmpty()) {
                gateway.progress().say(none);
            }
            words.print(page, out);
        });
    }

    private JsonNode page(ManagementClient client, String path, String items, RequestParameters chosen, int size)
            throws IOException, InterruptedException {
        chosen.put("limit", Math.min(size, LARGEST_PAGE)).put("cursor", cursor);
        return client.get(path + chosen.query(), items);
    }

    /** Two answers as one, which says how far they have looked together. */
    private static JsonNode joined(String items, JsonNode first, JsonNode second) {
        ArrayNode both = (ArrayNode) first.get(items);
        ((ObjectNode) second).set(items, both.addAll((ArrayNode) second.get(items)));
        if (second.path("searched") instanceof ObjectNode searched) {
            long before = first.path("searched").path("count").asLong();
            searched.put("count", before + searched.path("count").asLong());
        }
        return second;
    }

    private static String looked(JsonNode answer) {
        JsonNode searched = answer.path("searched");
        return "searching"
                + (searched.has("receivedAt")
                        ? ", back at " + Shown.time(searched, "receivedAt").text()
                        : "");
    }

    private static void print(GatewayOptions gateway, TextTable table, JsonNode page, PrintWriter out) {
        if (!table.isEmpty()) {
            table.print(out, gateway.terminal());
        }
        if (page.path("next").isTextual()) {
            gateway.progress()
                    .say("more: --last with a larger number, or --cursor "
                            + page.get("next").asText());
        }
    }
}
