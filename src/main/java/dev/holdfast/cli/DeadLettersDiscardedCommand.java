package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code dead-letters discarded}. */
@Command(name = "discarded", description = "Lists dead letters that were given up, and why, the newest first.")
final class DeadLettersDiscardedCommand extends ListCommand {
    DeadLettersDiscardedCommand(CliEnvironment cli) {
        super(cli, "/discards", "discards", new NoChoice());
    }

    @Override
    TextTable table() {
        return new TextTable("AT", "CONSUMER", "SEQ", "EVENT", "REASON").lastBelow();
    }

    @Override
    void add(TextTable table, JsonNode discard) {
        table.add(
                Shown.time(discard, "at"),
                Shown.text(discard, "consumer"),
                Shown.number(discard, "seq"),
                Cell.styled(Style.ACCENT, Shown.text(discard, "event")),
                Shown.text(discard, "reason"));
    }
}
