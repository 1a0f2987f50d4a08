package dev.holdfast.logging;

import ch.qos.logback.classic.LoggerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All log lines of the process. */
public final class Logs {
    private Logs() {}

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
