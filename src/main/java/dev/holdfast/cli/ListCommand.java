package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the verbs that list something by pages have in common: a table, the newest first. */
abstract class ListCommand extends GatewayCommand {
    private static final int LARGEST_PAGE = 1000;

    private final String path;
    private final String items;

    @Mixin
    private final Choice choice;

    @Option(names = "--last", paramLabel = "N", description = "The newest so many. Default: 20")
    private int last = 20;

    @Option(names = "--cursor", paramLabel = "PLACE", description = "Go on where an earlier list has ended.")
    private @Nullable String cursor;

    /** Null while nobody knows whether there are any. */
    private @Nullable String nothing;

    /**
     * @param path the list's in the API
     * @param items their name in the answer
     */
    ListCommand(CliEnvironment cli, String path, String items, Choice choice) {
        super(cli);
        this.path = path;
        this.items = items;
        this.choice = choice;
    }

    /** Without rows. */
    abstract TextTable table();

    /**
     * What is said of a list that is empty, and where to look.
     *
     * @param chosen what was asked for
     */
    String none(ManagementClient client, RequestParameters chosen) throws IOException, InterruptedException {
        return "none";
    }

    /** Page after page, as one answer: a search may end before its page is full. */
    @Override
    final ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        if (last < 1) {
            throw usedWrongly("--last: found " + last + ", expected a number from 1 on");
        }
        Progress progress = progress();
        ManagementClient.Answer answer = page(client, last, cursor);
        JsonNode next = answer.json().path("next");
        while (answer.problem() == null && next.isTextual() && missing(answer) > 0) {
            progress.show(looked(answer.json()));
            int missing = missing(answer);
            String from = next.asText();
            ManagementClient.Answer more = more(answer.json(), progress, () -> page(client, missing, from));
            if (more.problem() != null) {
                return more;
            }
            answer = joined(answer, more);
            next = answer.json().path("next");
        }
        progress.end();
        if (answer.problem() == null && !isJson() && answer.json().path(items).isEmpty()) {
            nothing = none(client, choice.fields());
        }
        return answer;
    }

    private int missing(ManagementClient.Answer answer) {
        return last - answer.json().path(items).size();
    }

    private ManagementClient.Answer page(ManagementClient client, int size, @Nullable String from)
            throws IOException, InterruptedException {
        RequestParameters fields =
                choice.fields().put("limit", Math.min(size, LARGEST_PAGE)).put("cursor", from);
        return client.get(path + fields.query(), items);
    }

    /** Both as one, which says how far they have looked together. */
    private ManagementClient.Answer joined(ManagementClient.Answer first, ManagementClient.Answer second) {
        ArrayNode both = (ArrayNode) first.json().get(items);
        ((ObjectNode) second.json())
                .set(items, both.addAll((ArrayNode) second.json().get(items)));
        if (second.json().path("searched") instanceof ObjectNode searched) {
            long before = first.json().path("searched").path("count").asLong();
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

    @Override
    final void print(JsonNode page, PrintWriter out) {
        TextTable table = table().rows(page.get(items));
        if (!table.isEmpty()) {
            table.print(out, terminal());
        } else if (nothing != null) {
            progress().say(nothing);
        }
        if (page.path("next").isTextual()) {
            progress()
                    .say("more: --last with a larger number, or --cursor "
                            + page.get("next").asText());
        }
    }
}
