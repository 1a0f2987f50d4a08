package dev.holdfast.cli.terminal;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows the progress of long work on standard error: on a terminal as a line that rewrites itself, elsewhere as a line
 * now and then. Says nothing if the work is done soon.
 */
public final class Progress {
    private static final long REWRITE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final String ERASE = "\r\u001b[K";

    private final PrintWriter err;
    private final Terminal terminal;
    private final LongSupplier nanoTime;
    private long shown;
    private boolean rewritten;

    public Progress(PrintWriter err, Terminal terminal) {
        this(err, terminal, System::nanoTime);
    }

    /** With another clock: the seam for tests. */
    Progress(PrintWriter err, Terminal terminal, LongSupplier nanoTime) {
        this.err = err;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.shown = nanoTime.getAsLong();
    }

    public void show(String line) {
        long now = nanoTime.getAsLong();
        if (now - shown < (terminal.isInteractive() ? REWRITE_NANOS : LINE_NANOS)) {
            return;
        }
        shown = now;
        if (terminal.isInteractive()) {
            rewritten = true;
            err.print(ERASE + TextWidth.cut(line, terminal.columns() - 1));
            err.flush();
        } else {
            err.println(line);
        }
    }

    /** Writes a line beside the result, at once. */
    public void say(String line) {
        end();
        err.println(terminal.paint(Style.DIM, line));
    }

    /** Ends the progress: the result follows. */
    public void end() {
        if (rewritten) {
            err.print(ERASE);
            err.flush();
        }
    }
}
