package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code dead-letters list}. */
@Command(name = "list", description = "Lists dead letters by consumer, the newest of each first.")
final class DeadLettersListCommand extends ListCommand {
    DeadLettersListCommand(CliEnvironment cli) {
        super(cli, "/dead-letters", "deadLetters", new DeadLetterChoice());
    }

    @Override
    TextTable table() {
        return new TextTable("CONSUMER", "SEQ", "EVENT", "ATTEMPTS", "LAST", "ERROR").lastBelow();
    }

    @Override
    void add(TextTable table, JsonNode letter) {
        table.add(
                Shown.text(letter, "consumer"),
                Shown.number(letter, "seq"),
                Cell.styled(Style.ACCENT, Shown.text(letter, "event")),
                Shown.number(letter, "attempts"),
                Shown.time(letter.path("last"), "at"),
                Cell.styled(Style.BAD, Shown.text(letter.path("last"), "error")));
    }
}
