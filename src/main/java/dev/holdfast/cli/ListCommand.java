package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** What the verbs that list something by pages have in common. */
abstract class ListCommand extends GatewayCommand {
    private final String path;
    private final String items;
    private final String nextOption;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, up to 1000. Default: 100")
    private int limit = 100;

    /**
     * @param path the list's in the API
     * @param items their name in the answer
     * @param nextOption the option that takes the next page's place
     */
    ListCommand(CliEnvironment cli, String path, String items, String nextOption) {
        super(cli);
        this.path = path;
        this.items = items;
        this.nextOption = nextOption;
    }

    abstract RequestParameters choice();

    abstract String line(JsonNode item);

    @Override
    final ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        return client.get(path + choice().put("limit", limit).query());
    }

    @Override
    final void print(JsonNode page, PrintWriter out) {
        page.get(items).forEach(item -> out.println(line(item)));
        if (page.has("next")) {
            out.println("more: " + nextOption + " " + page.get("next").asText());
        }
    }
}
