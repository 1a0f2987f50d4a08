package dev.holdfast.cli;

import picocli.CommandLine.Command;

/** {@code audit}. */
@Command(name = "audit", description = "Shows who changed what of a running gateway, the newest first.")
final class AuditCommand extends ListCommand {
    AuditCommand(CliEnvironment cli) {
        super(cli, "/audit", "actions", new NoChoice());
    }

    @Override
    TextTable table() {
        return new TextTable(
                        Column.of("AT", Shown::time, "at"),
                        Column.of("WHO", Shown::text, "who"),
                        Column.of("FROM", Shown::text, "from"),
                        Column.of("ACTION", Shown::text, "action").styled(Style.ACCENT),
                        Column.of("TARGET", Shown::text, "target"),
                        Column.of("COUNT", Shown::number, "count"),
                        Column.of("REASON", Shown::text, "reason"))
                .dropping("FROM")
                .lastBelow();
    }
}
