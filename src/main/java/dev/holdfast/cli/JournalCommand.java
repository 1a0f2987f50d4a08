package dev.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.cli.terminal.Column;
import dev.holdfast.cli.terminal.Shown;
import dev.holdfast.cli.terminal.TextTable;
import dev.holdfast.journal.JournalDamage;
import dev.holdfast.journal.JournalVerification;
import dev.holdfast.journal.StoppedJournal;
import dev.holdfast.logging.Counted;
import dev.holdfast.store.PositionNoteForm;
import dev.holdfast.store.StoredPositions;
import dev.holdfast.store.StoredPositions.Position;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code journal}; {@link JournalExportCommand} is another verb of it. */
@Command(
        name = "journal",
        description = {
            "Looks at the data directory of a gateway that doesn't run, or at a copy of one, and changes nothing in it.",
            "A directory that a running gateway holds, or that a newer version wrote, is refused with exit status 2."
        })
final class JournalCommand extends VerbGroup {
    private static final JsonMapper JSON = new JsonMapper();

    private final CliEnvironment cli;

    JournalCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    @Command(
            description = {
                "Shows the segments, and how far each consumer has come. Damage is what a start would find: verify reads it all.",
                "lag is the number of positions past the consumer's own, blocked how many pushes wait in its blocked lanes."
            })
    void inspect(@Mixin DataDirectory data, @Mixin Output output) throws IOException {
        Path path = data.path(cli.environment());
        try (StoppedJournal journal = data.open(path)) {
            ObjectNode found = JSON.createObjectNode()
                    .put("directory", path.toString())
                    .put("firstSeq", journal.firstSeq())
                    .put("lastSeq", journal.lastSeq())
                    .put("missing", journal.lost(journal.firstSeq(), journal.lastSeq()))
                    .put("bytes", journal.size());
            ArrayNode segments = found.putArray("segments").addAll(JSON.<ArrayNode>valueToTree(journal.segments()));
            segments.forEach(one -> ((ObjectNode) one)
                    .properties()
                    .removeIf(field -> field.getValue().isNull()));
            addPositions(found, data.positions(path), journal);
            output.show(found, cli.out(), this::printInspected);
        }
    }

    /** Adds the positions from the store, or else those noted last in the journal. */
    private static void addPositions(ObjectNode found, StoredPositions stored, StoppedJournal journal) {
        List<Position> positions = stored.positions();
        if (stored.problem() == null) {
            found.put("positionsFrom", "store");
        } else {
            byte[] note = journal.lastNote().orElse(null);
            positions = note == null ? List.of() : noted(note);
            found.put("positionsFrom", note == null ? "nowhere" : "note").put("storeProblem", stored.problem());
        }
        ArrayNode list = found.putArray("consumers");
        for (Position position : positions) {
            list.addObject()
                    .put("name", position.consumer())
                    .put("position", position.seq())
                    .put("lag", Math.max(0, journal.lastSeq() - Math.max(position.seq(), journal.firstSeq() - 1)))
                    .put("blocked", position.blocked());
        }
    }

    private static List<Position> noted(byte[] note) {
        return PositionNoteForm.decode(note).places().stream()
                .map(one -> new Position(
                        one.consumer(), one.position(), one.blocked().size()))
                .toList();
    }

    private void printInspected(JsonNode found, PrintWriter out) {
        out.println(found.get("directory").asText() + ": " + held(found));
        new TextTable(
                        Column.of("segment", Shown::text, "file"),
                        Column.of("first", Shown::number, "firstSeq"),
                        new Column("last", segment -> isEmpty(segment) ? "-" : Shown.number(segment, "lastSeq")),
                        Column.of("pushes", Shown::number, "pushes"),
                        Column.of("bytes", Shown::number, "bytes"),
                        new Column("state", JournalCommand::state))
                .rows(found.get("segments"))
                .print(out, cli.terminal());
        out.println();
        String source = found.get("positionsFrom").asText();
        out.println("positions from "
                + (source.equals("note") ? "the journal's last note" : source.equals("store") ? "the store" : source)
                + (found.has("storeProblem") ? ": " + found.get("storeProblem").asText() : ""));
        new TextTable(
                        Column.of("consumer", Shown::text, "name"),
                        Column.of("position", Shown::number, "position"),
                        Column.of("lag", Shown::number, "lag"),
                        Column.of("blocked", Shown::number, "blocked"))
                .rows(found.get("consumers"))
                .print(out, cli.terminal());
    }

    private static boolean isEmpty(JsonNode of) {
        return of.get("lastSeq").asLong() < of.get("firstSeq").asLong();
    }

    private static String state(JsonNode segment) {
        return (segment.get("sealed").asBoolean() ? "sealed" : "open")
                + (segment.has("damage") ? ", damaged: " + segment.get("damage").asText() : "");
    }

    private static String held(JsonNode found) {
        String last = found.get("lastSeq").asText();
        long missing = found.get("missing").asLong();
        return (isEmpty(found)
                        ? "no pushes, the last position is " + last
                        : "pushes " + found.get("firstSeq").asText() + " to " + last)
                + (missing == 0 ? "" : ", " + missing + " of them missing") + ", "
                + found.get("bytes").asText() + " bytes";
    }

    @Command(
            description = {
                "Reads every record of every segment and checks its checksum. Says what is damaged: file, byte, and the"
                        + " positions that are gone.",
                "Exit status 0 when all is whole, 1 when there is damage, 2 when there is nothing that can be verified."
            })
    int verify(@Mixin DataDirectory data, @Mixin Output output) throws IOException {
        Path path = data.path(cli.environment());
        try (StoppedJournal journal = data.open(path)) {
            long knownSeq = data.positions(path).positions().stream()
                    .mapToLong(Position::seq)
                    .max()
                    .orElse(0);
            JsonNode found = verified(path, journal.verify(knownSeq));
            output.show(found, cli.out(), this::printVerified);
            return found.get("whole").asBoolean() ? ExitStatus.DONE : ExitStatus.FAILED;
        }
    }

    private static ObjectNode verified(Path path, JournalVerification found) {
        ObjectNode all = JSON.createObjectNode()
                .put("directory", path.toString())
                .put("whole", found.damage().isEmpty())
                .put("segments", found.segments())
                .put("records", found.records())
                .put("pushes", found.pushes())
                .put("bytes", found.bytes())
                .put("gone", found.gone());
        ArrayNode list = all.putArray("damage");
        for (JournalDamage damage : found.damage()) {
            ObjectNode one = list.addObject()
                    .put("file", damage.file())
                    .put("at", damage.at())
                    .put("found", damage.what());
            if (damage.gone() > 0) {
                one.put("firstSeq", damage.firstSeq()).put("lastSeq", damage.lastSeq());
            }
        }
        return all;
    }

    private void printVerified(JsonNode found, PrintWriter out) {
        out.println(found.get("directory").asText() + ": " + counted(found, "segments", "segment") + ", "
                + counted(found, "records", "whole record") + " with " + counted(found, "pushes", "push") + ", "
                + counted(found, "bytes", "byte"));
        if (found.get("whole").asBoolean()) {
            out.println("all whole");
            return;
        }
        new TextTable(
                        Column.of("segment", Shown::text, "file"),
                        Column.of("byte", Shown::number, "at"),
                        new Column("gone", JournalCommand::gone),
                        Column.of("found", Shown::text, "found"))
                .rows(found.get("damage"))
                .print(out, cli.terminal());
        out.println("damaged: " + counted(found, "gone", "push")
                + (found.get("gone").asLong() == 1 ? " is gone" : " are gone"));
    }

    private static String counted(JsonNode found, String field, String noun) {
        return Counted.of(found.get(field).asLong(), noun);
    }

    private static String gone(JsonNode damage) {
        String first = Shown.text(damage, "firstSeq");
        String last = Shown.text(damage, "lastSeq");
        return first.equals(last) ? first : first + " to " + last;
    }
}
