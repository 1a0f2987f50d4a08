package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code pushes list}. */
@Command(name = "list", description = "Lists pushes, the newest first.")
final class PushesListCommand extends ListCommand {
    PushesListCommand(CliEnvironment cli) {
        super(cli, "/pushes", "pushes", new PushChoice());
    }

    @Override
    TextTable table() {
        return new TextTable(
                        Column.of("SEQ", Shown::number, "seq"),
                        Column.of("RECEIVED", Shown::time, "receivedAt"),
                        Column.of("EVENT", Shown::text, "event").styled(Style.ACCENT),
                        Column.of("ENDPOINT", Shown::text, "endpoint"),
                        Column.of("ENTERPRISE", Shown::text, "enterprise"),
                        Column.of("SIZE", Shown::bytes, "bytes"),
                        new Column(
                                "ID",
                                push -> Shown.text(push, "id")
                                        + (push.path("late").asBoolean() ? " (late)" : "")))
                .dropping("SIZE", "ENDPOINT", "ENTERPRISE");
    }

    /** What was sent and is not here may have been refused. */
    @Override
    String none(ManagementClient client, RequestParameters chosen) throws IOException, InterruptedException {
        Map<String, Object> fields = chosen.object();
        RequestParameters same = new RequestParameters()
                .put("event", fields.get("event"))
                .put("pushId", fields.get("id"))
                .put("endpoint", fields.get("endpoint"))
                .put("since", fields.get("since"))
                .put("until", fields.get("until"));
        String look = next("quarantine list" + same.options());
        JsonNode refused = client.get("/quarantine" + same.put("limit", 1).query(), "requests")
                .json()
                .path("requests");
        return refused.isEmpty()
                ? "none accepted; what was refused is counted: " + next("ledger")
                : "none accepted; what was refused is in the quarantine: " + look;
    }
}
