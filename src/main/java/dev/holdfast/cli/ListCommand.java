package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the verbs that list something by pages have in common. */
abstract class ListCommand extends GatewayCommand {
    private final String path;
    private final String items;
    private final String nextOption;

    @Mixin
    private final Choice choice;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, up to 1000. Default: 100")
    private int limit = 100;

    @Option(names = "--cursor", paramLabel = "TEXT", description = "Goes on behind a page: what it ended with.")
    private @Nullable String cursor;

    /**
     * @param path the list's in the API
     * @param items their name in the answer
     * @param nextOption the option that takes the next page's place
     */
    ListCommand(CliEnvironment cli, String path, String items, Choice choice, String nextOption) {
        super(cli);
        this.path = path;
        this.items = items;
        this.choice = choice;
        this.nextOption = nextOption;
    }

    RequestParameters fields() {
        return choice.fields();
    }

    abstract String line(JsonNode item);

    @Override
    final ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get(
                path + fields().put("limit", limit).put("cursor", cursor).query());
    }

    @Override
    final void print(JsonNode page, PrintWriter out) {
        page.get(items).forEach(item -> out.println(line(item)));
        if (page.has("next")) {
            out.println("more: " + nextOption + " " + page.get("next").asText());
        }
    }
}
