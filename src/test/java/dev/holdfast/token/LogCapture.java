package dev.holdfast.token;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/**
 * Everything that is logged meanwhile, at TRACE, of every part and library, as the shipped configuration writes it to
 * standard error, with whole exception chains.
 */
final class LogCapture implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level levelBefore = root.getLevel();
    private final PrintStream errBefore = System.err;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

    LogCapture() {
        System.setErr(new PrintStream(lines, true, StandardCharsets.UTF_8));
        root.setLevel(Level.TRACE);
    }

    String text() {
        return lines.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        root.setLevel(levelBefore);
        System.setErr(errBefore);
    }
}
