package dev.holdfast.cli;

import picocli.CommandLine.Command;

/** {@code dead-letters list}. */
@Command(name = "list", description = "Lists dead letters by consumer, the newest of each first.")
final class DeadLettersListCommand extends ListCommand {
    DeadLettersListCommand(CliEnvironment cli) {
        super(cli, "/dead-letters", "deadLetters", new DeadLetterChoice());
    }

    @Override
    TextTable table() {
        return new TextTable(
                        Column.of("CONSUMER", Shown::text, "consumer"),
                        Column.of("SEQ", Shown::number, "seq"),
                        Column.of("EVENT", Shown::text, "event").styled(Style.ACCENT),
                        Column.of("ATTEMPTS", Shown::number, "attempts"),
                        new Column("LAST", letter -> Shown.time(letter.path("last"), "at")),
                        new Column("ERROR", letter -> Shown.text(letter.path("last"), "error")).styled(Style.BAD))
                .lastBelow();
    }
}
