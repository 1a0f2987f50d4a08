package dev.holdfast.logging;

import ch.qos.logback.classic.LoggerContext;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All log lines of the process. */
public final class Logs {
    private static final String FORMAT = "HOLDFAST_LOG_FORMAT";
    private static final Set<String> FORMATS = Set.of("text", "json");

    private Logs() {}

    /** What is wrong with the logging that the environment asks for; empty when nothing is. */
    public static String complaint(Map<String, String> environment) {
        String found = environment.getOrDefault(FORMAT, "text");
        return FORMATS.contains(found) ? "" : FORMAT + ": found \"" + found + "\", expected text or json";
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
