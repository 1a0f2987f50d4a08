package dev.holdfast.cli;

import picocli.CommandLine.Command;

/** {@code quarantine list}. */
@Command(
        name = "list",
        description = {
            "Lists quarantined requests, the newest first.",
            "EVENT? and PUSH ID? are what the body says: nobody verified it."
        })
final class QuarantineListCommand extends ListCommand {
    QuarantineListCommand(CliEnvironment cli) {
        super(cli, "/quarantine", "requests", new QuarantineChoice());
    }

    @Override
    TextTable table() {
        return new TextTable(
                        Column.of("ID", Shown::number, "id"),
                        Column.of("RECEIVED", Shown::time, "receivedAt"),
                        Column.of("ENDPOINT", Shown::text, "endpoint"),
                        Column.of("CAUSE", Shown::text, "cause").styled(Style.WARNING),
                        Column.of("FROM", Shown::text, "address"),
                        Column.of("SIZE", Shown::bytes, "bytes"),
                        Column.of("EVENT?", Shown::text, "event").styled(Style.ACCENT),
                        Column.of("PUSH ID?", Shown::text, "pushId"))
                .dropping("SIZE", "FROM", "ENDPOINT");
    }
}
