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

/** The process's logging. It is set up here and not in XML, since reading XML would take a tenth of the start. */
public final class Logs {
    /** System property that names the operator's own Logback file, which has precedence over everything here. */
    private static final String OWN_FILE = "logback.configurationFile";

    private static final String FORMAT = "HOLDFAST_LOG_FORMAT";
    private static final Set<String> FORMATS = Set.of("text", "json");
    private static final String LEVEL = "HOLDFAST_LOG_LEVEL";
    private static final Set<String> LEVELS = Set.of("error", "warn", "info", "debug", "trace");

    /**
     * Loggers that tell of what comes in on a connection: below info they show queries and heads, with signatures and
     * tokens in them, so they stay at info; and whoever sends nonsense has them log as often.
     */
    private static final List<String> SHOWING_REQUESTS = List.of("io.vertx", "io.netty");

    /** The logger of exceptions that nobody caught. */
    public static final String UNCAUGHT = "dev.holdfast.supervision.Uncaught";

    private static final List<String> LIMITED = List.of("io.vertx", "io.netty", UNCAUGHT);

    /** Whether the environment sets the level, which has precedence over the configuration. */
    private static volatile boolean levelIsGiven;

    /** Null if the operator's own file says where lines go. */
    private static volatile @Nullable ConsoleAppender console;

    private Logs() {}

    /** What is wrong with the logging variables of the environment; empty if nothing is. */
    public static String complaint(Map<String, String> environment) {
        String format = environment.getOrDefault(FORMAT, "text");
        if (!FORMATS.contains(format)) {
            return FORMAT + ": found \"" + format + "\", expected text or json";
        }
        // Logback takes an unknown level for debug, which logs the most.
        String level = environment.getOrDefault(LEVEL, "info");
        return LEVELS.contains(level.toLowerCase(Locale.ROOT))
                ? ""
                : LEVEL + ": found \"" + level + "\", expected error, warn, info, debug or trace";
    }

    /**
     * Sets format and level as the environment asks, which must have no {@link #complaint}. To be called before the
     * first line is logged.
     */
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
            // JSON is always UTF-8; text has the terminal's charset.
            encoder.setCharset(json ? StandardCharsets.UTF_8 : TextCharset.ofLocale());
            encoder.start();
            ConsoleAppender appender =
                    new ConsoleAppender(logback, encoder, new LibraryLines(LIMITED, System::nanoTime));
            appender.start();
            console = appender;
            levelIsGiven = environment.containsKey(LEVEL);
            set(logback, Level.valueOf(environment.getOrDefault(LEVEL, "info")));
            logback.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        }
    }

    /**
     * Sets the level as the configuration asks, from the next line on, unless the environment or the operator's own
     * file has set it.
     *
     * @param level such as {@code info}
     * @return whether it was set
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
        // Null means the root's level.
        Level most = level.isGreaterOrEqual(Level.WARN) ? null : Level.WARN;
        SHOWING_REQUESTS.forEach(name -> logback.getLogger(name).setLevel(most));
    }

    /**
     * Waits until every earlier line is written: before the process ends, and before it prints something itself. Does
     * not wait for ever, since nobody may read them.
     */
    public static void flush() {
        ConsoleAppender here = console;
        if (here != null) {
            here.flush();
        }
    }

    /**
     * Writes a finished line, with its line end, and waits as {@link #flush} does. Allocates nothing: there may be no
     * memory.
     */
    public static void last(byte[] line) {
        ConsoleAppender here = console;
        if (here != null) {
            here.write(line);
            here.flush();
        }
    }
}
