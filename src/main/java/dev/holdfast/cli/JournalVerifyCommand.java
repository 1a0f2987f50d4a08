package dev.holdfast.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.journal.JournalDamage;
import dev.holdfast.journal.JournalVerification;
import dev.holdfast.journal.StoppedJournal;
import dev.holdfast.logging.Counted;
import dev.holdfast.store.StoredPositions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code journal verify}. */
@Command(
        name = "verify",
        description = {
            "Reads every record of every segment and checks its checksum. Says what is damaged: file, byte, and the"
                    + " positions that are gone.",
            "Exit status 0 when all is whole, 1 when there is damage, 2 when there is nothing that can be verified."
        })
final class JournalVerifyCommand implements Callable<Integer> {
    private final CliEnvironment cli;

    @Mixin
    private DataDirectory data = new DataDirectory();

    @Option(names = "--output", paramLabel = "FORM", description = "How to write it: text or json. Default: text")
    private OutputFormat output = OutputFormat.text;

    JournalVerifyCommand(CliEnvironment cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        Path path = data.path(cli.environment());
        try (StoppedJournal journal = data.open(path)) {
            long knownSeq = data.positions(path).positions().stream()
                    .mapToLong(StoredPositions.Position::seq)
                    .max()
                    .orElse(0);
            JournalVerification found = journal.verify(knownSeq);
            if (output == OutputFormat.json) {
                cli.out().println(json(path, found));
            } else {
                print(path, found, cli.out());
            }
            return found.damage().isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED;
        }
    }

    private static ObjectNode json(Path path, JournalVerification found) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("directory", path.toString())
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

    private void print(Path path, JournalVerification found, PrintWriter out) {
        out.println(path + ": " + Counted.of(found.segments(), "segment") + ", "
                + Counted.of(found.records(), "whole record") + " with " + Counted.of(found.pushes(), "push") + ", "
                + Counted.of(found.bytes(), "byte"));
        if (found.damage().isEmpty()) {
            out.println("all whole");
            return;
        }
        TextTable table = new TextTable("segment", "byte", "gone", "found");
        for (JournalDamage damage : found.damage()) {
            table.add(damage.file(), damage.at(), gone(damage), damage.what());
        }
        table.print(out, cli.terminal());
        out.println("damaged: " + Counted.of(found.gone(), "push") + (found.gone() == 1 ? " is gone" : " are gone"));
    }

    private static String gone(JournalDamage damage) {
        if (damage.gone() == 0) {
            return "-";
        }
        return damage.gone() == 1 ? "" + damage.firstSeq() : damage.firstSeq() + " to " + damage.lastSeq();
    }
}
