package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code pushes list}. */
@Command(name = "list", description = "Lists pushes, the newest first.")
final class PushesListCommand extends ListCommand {
    PushesListCommand(CliEnvironment cli) {
        super(cli, "/pushes", "pushes", new PushChoice());
    }

    @Override
    TextTable table() {
        return new TextTable("SEQ", "RECEIVED", "EVENT", "ENDPOINT", "ENTERPRISE", "SIZE", "ID");
    }

    @Override
    void add(TextTable table, JsonNode push) {
        table.add(
                Shown.number(push, "seq"),
                Shown.time(push, "receivedAt"),
                Cell.styled(Style.ACCENT, Shown.text(push, "event")),
                Shown.text(push, "endpoint"),
                Shown.text(push, "enterprise"),
                Shown.bytes(push, "bytes"),
                Shown.text(push, "id") + (push.path("late").asBoolean() ? " (late)" : ""));
    }
}
