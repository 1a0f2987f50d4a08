package dev.holdfast;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import dev.holdfast.logging.Logs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Every line that is logged while it is open, exceptions and fields included; the console is spared it. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final List<Appender<ILoggingEvent>> others = new ArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private LogLines(Level level) {
        setContext(root.getLoggerContext());
        start();
        root.iteratorForAppenders().forEachRemaining(others::add);
        others.forEach(root::detachAppender);
        root.addAppender(this);
        level(level);
    }

    private void level(Level level) {
        root.setLevel(level);
        Logs.level(level.toString());
    }

    /** Everything that the program can log. */
    public static LogLines atTrace() {
        return new LogLines(Level.TRACE);
    }

    /** What the program tells its operator. */
    public static LogLines atInfo() {
        return new LogLines(Level.INFO);
    }

    /** What the program complains about. */
    public static LogLines atWarn() {
        return new LogLines(Level.WARN);
    }

    @Override
    protected void append(ILoggingEvent event) {
        String thrown = event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
        StringBuilder fields = new StringBuilder();
        if (event.getKeyValuePairs() != null) {
            event.getKeyValuePairs()
                    .forEach(pair ->
                            fields.append(' ').append(pair.key).append('=').append(pair.value));
        }
        lines.add(event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage() + " " + thrown
                + fields);
    }

    public List<String> lines() {
        return lines;
    }

    /** All of them as one text. */
    public String text() {
        return String.join("\n", lines);
    }

    @Override
    public void close() {
        level(before);
        root.detachAppender(this);
        others.forEach(root::addAppender);
        stop();
    }
}
