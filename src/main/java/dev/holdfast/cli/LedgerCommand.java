package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.cli.terminal.Cell;
import dev.holdfast.cli.terminal.Column;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.Style;
import dev.holdfast.cli.terminal.TextTable;
import dev.holdfast.config.TimeSpan;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ledger}. */
@Command(
        name = "ledger",
        description =
                "Shows what was refused or lost by day (UTC), cause and endpoint, and the gateway's starts, newest first.")
final class LedgerCommand implements Callable<Integer> {
    private static final int MOST = 10_000;

    @Mixin
    private GatewayOptions gateway;

    @Option(names = "--since", paramLabel = "DAY", description = "That day and later ones: 2026-01-31")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "DAY", description = "Only days before that one.")
    private @Nullable String until;

    @Option(
            names = "--last",
            paramLabel = "N",
            description = "How many counts and starts, the newest first, up to " + MOST + ". Default: 20")
    private int last = 20;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (last < 1 || last > MOST) {
            throw gateway.usedWrongly("--last: found " + last + ", expected a number from 1 to " + MOST);
        }
        RequestParameters choice =
                new RequestParameters().put("since", since).put("until", until).put("limit", last);
        gateway.show(gateway.client().get("/ledger" + choice.query(), "counts"), this::print);
        return ExitStatus.DONE;
    }

    private void print(JsonNode ledger, PrintWriter out) {
        if (!ledger.get("counts").isEmpty()) {
            counts(ledger.get("counts")).print(out, gateway.terminal());
            out.println();
        }
        ledger.get("starts").forEach(start -> out.println(start(start)));
        if (ledger.get("more").asBoolean()) {
            gateway.progress().say("more: --last with a larger number, or --until with an earlier day");
        }
    }

    private static TextTable counts(JsonNode counts) {
        return new TextTable(
                        new Column("DAY", count -> Cell.whole(Shown.text(count, "day"))),
                        Column.of("COUNT", Shown::number, "count"),
                        Column.of("CAUSE", Shown::text, "cause").styled(Style.WARNING),
                        Column.of("ENDPOINT", Shown::text, "endpoint"),
                        Column.of("CONSUMER", Shown::text, "consumer"),
                        Column.of("EVENT", Shown::text, "event").styled(Style.ACCENT),
                        new Column(
                                "SEQ",
                                count -> count.has("from")
                                        ? Shown.text(count, "from") + " to " + Shown.text(count, "to")
                                        : "-"))
                .rows(counts);
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

    /** How long the gateway was down; in whole seconds from ten on. */
    private static String down(JsonNode start) {
        if (!start.has("downMillis")) {
            return "";
        }
        Duration down = Duration.ofMillis(start.get("downMillis").asLong());
        String most = start.get("lastStop").asText().equals("unclean") ? "at most " : "";
        return " after " + most + TimeSpan.show(down.toSeconds() < 10 ? down : Duration.ofSeconds(down.toSeconds()));
    }
}
