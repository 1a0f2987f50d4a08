package dev.holdfast.cli;

import dev.holdfast.cli.terminal.Progress;
import dev.holdfast.consumer.format.CloudEvents;
import dev.holdfast.consumer.format.PushLine;
import dev.holdfast.journal.OrderedPushes;
import dev.holdfast.journal.StoppedJournal;
import dev.holdfast.logging.Counted;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code journal export}: a line a push, in the bytes that the file consumer writes. */
@Command(
        name = "export",
        description = {
            "Writes pushes to standard output in the order of their positions, each as a line of JSON.",
            "Exit status 1 when some of those that were asked for are damaged: the others are written all the same."
        })
final class JournalExportCommand implements Callable<Integer> {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final BusinessData UNUSED = new BusinessData(null);

    private final CliEnvironment cli;
    private final Progress progress;

    private long written;

    @Mixin
    private DataDirectory data = new DataDirectory();

    @Mixin
    private PushChoice choice = new PushChoice();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "push, the lines of the file consumer, or cloudevents. Default: push")
    private Format format = Format.push;

    /** The values of the consumers' option {@code format}. */
    private enum Format {
        push,
        cloudevents
    }

    JournalExportCommand(CliEnvironment cli) {
        this.cli = cli;
        this.progress = new Progress(cli.err(), cli.terminal());
    }

    @Override
    public Integer call() throws IOException {
        PushFilter filter = choice.filter();
        long lost;
        try (StoppedJournal journal = data.open(data.path(cli.environment()))) {
            OutputStream out = new BufferedOutputStream(cli.bytes(), BUFFER_BYTES);
            long last = Math.min(filter.to(), journal.lastSeq());
            journal.forEach(Math.max(filter.from(), journal.firstSeq()), last, push -> {
                if (filter.matches(push)) {
                    write(push, out);
                }
                tell(push.seq(), last);
            });
            out.flush();
            lost = journal.lost(filter.from(), filter.to());
        } catch (IOException | UncheckedIOException e) {
            return cli.outputFailed();
        }
        if (lost > 0) {
            throw new IOException(lost + " of the positions that were looked through can't be read back");
        }
        return ExitStatus.DONE;
    }

    /** Shows progress now and then, unless the terminal shows the pushes themselves. */
    private void tell(long seq, long last) {
        if (seq % OrderedPushes.PAGE_PUSHES == 0 && !cli.terminal().isInteractive()) {
            progress.show(at(seq, last, written));
        }
    }

    static String at(long seq, long last, long written) {
        return "at push " + seq + " of " + last + ", " + Counted.of(written, "push") + " written";
    }

    private void write(PushRecord record, OutputStream out) {
        Push push = new Push(record, UNUSED);
        try {
            written++;
            out.write(format == Format.cloudevents ? CloudEvents.line(push) : PushLine.of(push));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
