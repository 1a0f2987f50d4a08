package dev.holdfast.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

/**
 * Writes to standard error, many lines with one system call: a line waits a tenth of a second at most for others, a
 * warning not at all. No thread that logs waits for the reader, see {@link LineWriter}; and of libraries no more is
 * written than {@link LibraryLines} has. (Logback's own asynchronous
 * appender would drop lines without saying so.)
 */
final class ConsoleAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    /** How long the process's end waits for a reader that may have stalled. */
    private static final long FLUSH_MILLIS = 5_000;

    private final LoggerContext logback;
    private final Encoder<ILoggingEvent> encoder;
    private final LineWriter lines;
    private final LibraryLines ofLibraries;

    ConsoleAppender(LoggerContext logback, Encoder<ILoggingEvent> encoder, LibraryLines ofLibraries) {
        this.logback = logback;
        this.encoder = encoder;
        this.ofLibraries = ofLibraries;
        this.lines = new LineWriter(new FileOutputStream(FileDescriptor.err), this::dropped);
        setContext(logback);
    }

    @Override
    protected void append(ILoggingEvent event) {
        int count = ofLibraries.count(event.getLoggerName());
        if (count <= LibraryLines.MOST) {
            lines.add(encoder.encode(event), event.getLevel().isGreaterOrEqual(Level.WARN));
        } else if (count == LibraryLines.MOST + 1) {
            lines.add(warning("what else " + event.getLoggerName() + " logs within a minute is left out"), true);
        }
    }

    /** @param line with its end */
    void write(byte[] line) {
        lines.add(line, true);
    }

    private byte[] dropped(long count) {
        return warning(Counted.of(count, "line") + (count == 1 ? " was" : " were")
                + " dropped here, as standard error was not read, or could not be written");
    }

    private byte[] warning(String text) {
        return encoder.encode(new LoggingEvent(
                ConsoleAppender.class.getName(),
                logback.getLogger(ConsoleAppender.class),
                Level.WARN,
                text,
                null,
                null));
    }

    void flush() {
        lines.flush(FLUSH_MILLIS);
    }
}
