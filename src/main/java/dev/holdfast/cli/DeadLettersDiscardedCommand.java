package dev.holdfast.cli;

import picocli.CommandLine.Command;

/** {@code dead-letters discarded}. */
@Command(name = "discarded", description = "Lists dead letters that were given up, and why, the newest first.")
final class DeadLettersDiscardedCommand extends ListCommand {
    DeadLettersDiscardedCommand(CliEnvironment cli) {
        super(cli, "/discards", "discards", new NoChoice());
    }

    @Override
    TextTable table() {
        return new TextTable(
                        Column.of("AT", Shown::time, "at"),
                        Column.of("CONSUMER", Shown::text, "consumer"),
                        Column.of("SEQ", Shown::number, "seq"),
                        Column.of("EVENT", Shown::text, "event").styled(Style.ACCENT),
                        Column.of("REASON", Shown::text, "reason"))
                .lastBelow();
    }
}
