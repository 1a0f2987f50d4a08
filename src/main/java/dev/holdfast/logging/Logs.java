package dev.holdfast.logging;

import ch.qos.logback.classic.LoggerContext;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All log lines of the process. */
public final class Logs {
    private static final String FORMAT = "HOLDFAST_LOG_FORMAT";
    private static final Set<String> FORMATS = Set.of("text", "json");
    private static final String LEVEL = "HOLDFAST_LOG_LEVEL";
    private static final Set<String> LEVELS = Set.of("error", "warn", "info", "debug", "trace");

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

    /** Writes every line that still waits: before the process ends, and before it says something itself. */
    public static void flush() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
            logback.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders().forEachRemaining(appender -> {
                if (appender instanceof BatchedConsoleAppender batched) {
                    batched.flush();
                }
            });
        }
    }
}
