package dev.holdfast.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All log lines of the process. What they look like is said here and not in XML: to read and interpret that would take a
 * tenth of the start.
 */
public final class Logs {
    /** Names a file of the operator's own, which goes before all that is said here. */
    private static final String OWN_FILE = "logback.configurationFile";

    private static final String FORMAT = "HOLDFAST_LOG_FORMAT";
    private static final Set<String> FORMATS = Set.of("text", "json");
    private static final String LEVEL = "HOLDFAST_LOG_LEVEL";
    private static final Set<String> LEVELS = Set.of("error", "warn", "info", "debug", "trace");

    /**
     * Below info these say what comes in on a connection: queries and heads, with the signatures and tokens in them. At info they
     * tell of themselves only.
     */
    private static final List<String> SHOWING_REQUESTS = List.of("io.vertx", "io.netty");

    /** What the environment asks for goes before the configuration. */
    private static volatile boolean levelIsGiven;

    /** Null where a file of the operator's own says where lines go. */
    private static volatile @Nullable ConsoleAppender console;

    private Logs() {}

    /** What is wrong with the logging that the environment asks for; empty when nothing is. */
    public static String complaint(Map<String, String> environment) {
        String format = environment.getOrDefault(FORMAT, "text");
        if (!FORMATS.contains(format)) {
            return FORMAT + ": found \"" + format + "\", expected text or json";
        }
        // Logback takes what it doesn't know for debug, the most that there is to say.
        String level = environment.getOrDefault(LEVEL, "info");
        return LEVELS.contains(level.toLowerCase(Locale.ROOT))
                ? ""
                : LEVEL + ": found \"" + level + "\", expected error, warn, info, debug or trace";
    }

    /** Sets format and level as the environment asks, which has no {@link #complaint}: before the first line. */
    public static void configure(Map<String, String> environment) {
        if (System.getProperty(OWN_FILE) == null
                && LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
            logback.reset();
            boolean json = environment.getOrDefault(FORMAT, "text").equals("json");
            Layout<ILoggingEvent> layout = json ? new JsonLines() : new TextLines();
            layout.setContext(logback);
            layout.start();
            LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
            encoder.setContext(logback);
            encoder.setLayout(layout);
            // JSON is UTF-8; a terminal reads what it is set to.
            encoder.setCharset(json ? StandardCharsets.UTF_8 : TextCharset.ofLocale());
            encoder.start();
            ConsoleAppender appender = new ConsoleAppender(logback, encoder);
            appender.start();
            console = appender;
            levelIsGiven = environment.containsKey(LEVEL);
            set(logback, Level.valueOf(environment.getOrDefault(LEVEL, "info")));
            logback.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        }
    }

    /**
     * Sets the level as the configuration asks, from the next line on, where neither the environment nor a file of the operator's
     * own has set it.
     *
     * @param level such as {@code info}
     * @return whether it did
     */
    public static boolean level(String level) {
        if (levelIsGiven
                || System.getProperty(OWN_FILE) != null
                || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext logback)) {
            return false;
        }
        set(logback, Level.valueOf(level));
        return true;
    }

    private static void set(LoggerContext logback, Level level) {
        logback.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(level);
        // Null: as the root's.
        Level most = level.isGreaterOrEqual(Level.WARN) ? null : Level.WARN;
        SHOWING_REQUESTS.forEach(name -> logback.getLogger(name).setLevel(most));
    }

    /**
     * Waits until every line before is written: before the process ends, and before it says something itself. Not for ever, where
     * nobody reads them.
     */
    public static void flush() {
        ConsoleAppender here = console;
        if (here != null) {
            here.flush();
        }
    }

    /** Writes a line that is ready, with its end, as {@link #flush} does what is before it. Takes no memory: there may be none. */
    public static void last(byte[] line) {
        ConsoleAppender here = console;
        if (here != null) {
            here.write(line);
            here.flush();
        }
    }
}
