package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.config.TimeSpan;
import dev.holdfast.logging.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ledger}. */
@Command(
        name = "ledger",
        description =
                "Shows what was refused or lost by day (UTC), cause and endpoint, and the gateway's starts, newest first.")
final class LedgerCommand extends GatewayCommand {
    @Option(names = "--since", paramLabel = "DAY", description = "Of that day and later ones: 2026-01-31")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "DAY", description = "Of the days before.")
    private @Nullable String until;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "At most so many counts, and so many starts, up to 10000. Default: 100")
    private int limit = 100;

    LedgerCommand(CliEnvironment cli) {
        super(cli);
    }

    @Override
    ManagementClient.Answer ask(ManagementClient client) throws IOException, InterruptedException {
        RequestParameters choice =
                new RequestParameters().put("since", since).put("until", until).put("limit", limit);
        return client.get("/ledger" + choice.query());
    }

    @Override
    void print(JsonNode ledger, PrintWriter out) {
        ledger.get("counts").forEach(count -> out.println(count(count)));
        ledger.get("starts").forEach(start -> out.println(start(start)));
        if (ledger.get("more").asBoolean()) {
            out.println("more: --limit, or --until with an earlier day");
        }
    }

    private static String count(JsonNode count) {
        return String.format(
                "%s %10d %s%s%s%s%s%s",
                count.get("day").asText(),
                count.get("count").asLong(),
                count.get("cause").asText(),
                named(count, "endpoint"),
                named(count, "consumer"),
                named(count, "event"),
                named(count, "from"),
                named(count, "to"));
    }

    private static String named(JsonNode count, String name) {
        return count.has(name)
                ? " " + name + "=" + Printable.line(count.get(name).asText())
                : "";
    }

    private static String start(JsonNode start) {
        String lastStop =
                switch (start.get("lastStop").asText()) {
                    case "clean" -> "the last stop was clean";
                    case "unclean" -> "the last stop was not clean";
                    case "lost" -> "the ledger before is lost with the store";
                    default -> "the first one in this ledger";
                };
        return "started " + start.get("at").asText() + down(start) + ", " + lastStop;
    }

    /** In whole seconds from ten on. */
    private static String down(JsonNode start) {
        if (!start.has("downMillis")) {
            return "";
        }
        Duration down = Duration.ofMillis(start.get("downMillis").asLong());
        return " after " + TimeSpan.show(down.toSeconds() < 10 ? down : Duration.ofSeconds(down.toSeconds()));
    }
}
