package dev.holdfast.tracing;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what OpenTelemetry logs through the JDK's logging into the gateway's log, one line each. OpenTelemetry itself
 * limits how often it repeats a line.
 */
final class ExporterLog extends Handler {
    private static final Logger LOG = LoggerFactory.getLogger(ExporterLog.class);
    /** Held in a field: the JDK forgets a logger that nobody holds. */
    private static final java.util.logging.Logger SOURCE = java.util.logging.Logger.getLogger("io.opentelemetry");

    private final TracingSecrets secrets;

    private ExporterLog(TracingSecrets secrets) {
        this.secrets = secrets;
        setFormatter(new SimpleFormatter());
    }

    static ExporterLog open(TracingSecrets secrets) {
        ExporterLog log = new ExporterLog(secrets);
        SOURCE.setUseParentHandlers(false);
        SOURCE.addHandler(log);
        return log;
    }

    @Override
    public void publish(LogRecord line) {
        String message = secrets.hide(getFormatter().formatMessage(line));
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            LOG.warn("tracing: {}{}", message, secrets.hide(cause(line.getThrown())));
        } else {
            LOG.debug("tracing: {}", message);
        }
    }

    /** The innermost cause, if its message is another one. */
    private static String cause(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause == null ? "" : " (" + cause + ")";
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        SOURCE.removeHandler(this);
    }
}
