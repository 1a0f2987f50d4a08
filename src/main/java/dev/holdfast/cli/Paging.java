package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Progress;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.TextTable;
import java.io.IOException;
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
        Progress progress = gateway.progress();
        PagedList list = new PagedList(gateway, items, table, progress);
        JsonNode page = page(client, path, items, chosen, last);
        list.add(page);
        while (page.path("next").isTextual() && list.size() < last) {
            progress.show(looked(page));
            cursor = page.get("next").asText();
            page = next(list, client, path, items, chosen);
            list.add(page);
        }
        progress.end();
        if (list.size() == 0 && !gateway.isJson()) {
            progress.say(nothing.words(client));
        }
        list.end();
    }

    /** If the next page can't be had, the list ends with those before, since they were found. */
    private JsonNode next(PagedList list, ManagementClient client, String path, String items, RequestParameters chosen)
            throws IOException, InterruptedException {
        try {
            return page(client, path, items, chosen, last - list.size());
        } catch (IOException | InterruptedException e) {
            list.end();
            throw e;
        }
    }

    private JsonNode page(ManagementClient client, String path, String items, RequestParameters chosen, int size)
            throws IOException, InterruptedException {
        chosen.put("limit", Math.min(size, LARGEST_PAGE)).put("cursor", cursor);
        return client.get(path + chosen.query(), items);
    }

    private static String looked(JsonNode answer) {
        JsonNode searched = answer.path("searched");
        return "searching"
                + (searched.has("receivedAt")
                        ? ", back at " + Shown.time(searched, "receivedAt").text()
                        : "");
    }
}
