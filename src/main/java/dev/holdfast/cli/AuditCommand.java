package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code audit}. */
@Command(name = "audit", description = "Shows who changed what of a running gateway, the newest first.")
final class AuditCommand extends ListCommand {
    AuditCommand(CliEnvironment cli) {
        super(cli, "/audit", "actions", new NoChoice());
    }

    @Override
    TextTable table() {
        return new TextTable("AT", "WHO", "FROM", "ACTION", "TARGET", "COUNT", "REASON")
                .dropping("FROM")
                .lastBelow();
    }

    @Override
    void add(TextTable table, JsonNode action) {
        table.add(
                Shown.time(action, "at"),
                Shown.text(action, "who"),
                Shown.text(action, "from"),
                Cell.styled(Style.ACCENT, Shown.text(action, "action")),
                Shown.text(action, "target"),
                Shown.number(action, "count"),
                Shown.text(action, "reason"));
    }
}
