package dev.holdfast.logging;

import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/** The end of logging. */
public final class Logs {
    private Logs() {}

    /** Writes every line that still waits; what is logged later is lost. The last thing before the process ends. */
    public static void finish() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
            logback.stop();
        }
    }
}
