package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
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
        return new TextTable("ID", "RECEIVED", "ENDPOINT", "CAUSE", "FROM", "SIZE", "EVENT?", "PUSH ID?")
                .dropping("SIZE", "FROM", "ENDPOINT");
    }

    @Override
    void add(TextTable table, JsonNode request) {
        table.add(
                Shown.number(request, "id"),
                Shown.time(request, "receivedAt"),
                Shown.text(request, "endpoint"),
                Cell.styled(Style.WARNING, Shown.text(request, "cause")),
                Shown.text(request, "address"),
                Shown.bytes(request, "bytes"),
                Cell.styled(Style.ACCENT, Shown.text(request, "event")),
                Shown.text(request, "pushId"));
    }
}
