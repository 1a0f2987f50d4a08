package dev.holdfast.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.journal.SegmentSummary;
import dev.holdfast.journal.StoppedJournal;
import dev.holdfast.store.PositionNoteForm;
import dev.holdfast.store.StoredPositions;
import dev.holdfast.store.StoredPositions.Position;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code journal inspect}. */
@Command(
        name = "inspect",
        description = {
            "Shows the segments, and how far each consumer has come. Damage is what a start would find: verify reads it all.",
            "lag is the number of positions past the consumer's own, blocked how many before that wait behind a failure."
        })
final class JournalInspectCommand implements Callable<Integer> {
    private final CliEnvironment cli;

    @Mixin
    private DataDirectory data = new DataDirectory();

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private OutputFormat output = OutputFormat.text;

    JournalInspectCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    /**
     * What is known of the consumers.
     *
     * @param source where that is from
     * @param problem why it isn't from the store; null when it is
     */
    private record Consumers(String source, @Nullable String problem, List<Position> positions) {
        static Consumers of(StoredPositions stored, StoppedJournal journal) {
            if (stored.problem() == null) {
                return new Consumers("store", null, stored.positions());
            }
            byte[] note = journal.lastNote().orElse(null);
            List<Position> noted = note == null
                    ? List.of()
                    : PositionNoteForm.decode(note).places().stream()
                            .map(one -> new Position(
                                    one.consumer(),
                                    one.position(),
                                    one.blocked().size()))
                            .toList();
            return new Consumers(note == null ? "nowhere" : "note", stored.problem(), noted);
        }
    }

    @Override
    public Integer call() {
        Path path = data.path(cli.environment());
        try (StoppedJournal journal = data.open(path)) {
            Consumers consumers = Consumers.of(data.positions(path), journal);
            if (output == OutputFormat.json) {
                cli.out().println(json(path, journal, consumers));
            } else {
                print(path, journal, consumers, cli.out());
            }
        }
        return ExitStatus.DONE;
    }

    /** How many positions a consumer hasn't come to. */
    private static long lag(Position position, StoppedJournal journal) {
        return Math.max(0, journal.lastSeq() - Math.max(position.seq(), journal.firstSeq() - 1));
    }

    private static long missing(StoppedJournal journal) {
        return journal.lost(journal.firstSeq(), journal.lastSeq());
    }

    private static ObjectNode json(Path path, StoppedJournal journal, Consumers consumers) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("directory", path.toString())
                .put("firstSeq", journal.firstSeq())
                .put("lastSeq", journal.lastSeq())
                .put("missing", missing(journal))
                .put("bytes", journal.size());
        addSegments(all.putArray("segments"), journal);
        all.put("positionsFrom", consumers.source());
        if (consumers.problem() != null) {
            all.put("storeProblem", consumers.problem());
        }
        ArrayNode list = all.putArray("consumers");
        for (Position position : consumers.positions()) {
            list.addObject()
                    .put("name", position.consumer())
                    .put("position", position.seq())
                    .put("lag", lag(position, journal))
                    .put("blocked", position.blocked());
        }
        return all;
    }

    private static void addSegments(ArrayNode segments, StoppedJournal journal) {
        for (SegmentSummary segment : journal.segments()) {
            ObjectNode one = segments.addObject()
                    .put("file", segment.file())
                    .put("firstSeq", segment.firstSeq())
                    .put("lastSeq", segment.lastSeq())
                    .put("pushes", segment.pushes())
                    .put("bytes", segment.bytes())
                    .put("sealed", segment.sealed());
            if (segment.damage() != null) {
                one.put("damage", segment.damage());
            }
        }
    }

    private void print(Path path, StoppedJournal journal, Consumers consumers, PrintWriter out) {
        out.println(path + ": " + held(journal));
        TextTable segments = new TextTable("segment", "first", "last", "pushes", "bytes", "state");
        for (SegmentSummary segment : journal.segments()) {
            String state = segment.sealed() ? "sealed" : "open";
            segments.add(
                    segment.file(),
                    segment.firstSeq(),
                    segment.lastSeq() < segment.firstSeq() ? "-" : segment.lastSeq(),
                    segment.pushes(),
                    segment.bytes(),
                    segment.damage() == null ? state : state + ", damaged: " + segment.damage());
        }
        segments.print(out, cli.terminal());
        out.println();
        out.println("positions from " + named(consumers.source())
                + (consumers.problem() == null ? "" : ": " + consumers.problem()));
        TextTable table = new TextTable("consumer", "position", "lag", "blocked");
        consumers
                .positions()
                .forEach(position ->
                        table.add(position.consumer(), position.seq(), lag(position, journal), position.blocked()));
        table.print(out, cli.terminal());
    }

    private static String held(StoppedJournal journal) {
        String pushes = journal.lastSeq() < journal.firstSeq()
                ? "no pushes, the last position is " + journal.lastSeq()
                : "pushes " + journal.firstSeq() + " to " + journal.lastSeq();
        long missing = missing(journal);
        return pushes + (missing == 0 ? "" : ", " + missing + " of them missing") + ", " + journal.size() + " bytes";
    }

    private static String named(String source) {
        return source.equals("note") ? "the journal's last note" : source.equals("store") ? "the store" : source;
    }
}
