package dev.holdfast.token;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Everything that is logged meanwhile, at TRACE, of every part and library, with whole exception chains. */
final class LogCapture implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<Appender<ILoggingEvent>> others = new ArrayList<>();
    private final Level before = root.getLevel();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            StringBuilder line = new StringBuilder();
            line.append(event.getLevel())
                    .append(' ')
                    .append(event.getLoggerName())
                    .append(": ")
                    .append(event.getFormattedMessage());
            describe(event.getThrowableProxy(), line);
            lines.add(line.toString());
        }
    };

    LogCapture() {
        root.setLevel(Level.TRACE);
        // a build's output at TRACE is no help
        root.iteratorForAppenders().forEachRemaining(others::add);
        others.forEach(root::detachAppender);
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
    }

    String text() {
        return String.join("\n", lines);
    }

    private static void describe(@Nullable IThrowableProxy failure, StringBuilder line) {
        for (IThrowableProxy cause = failure; cause != null; cause = cause.getCause()) {
            line.append("\n  ").append(cause.getClassName()).append(": ").append(cause.getMessage());
            for (IThrowableProxy suppressed : cause.getSuppressed()) {
                describe(suppressed, line);
            }
        }
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        root.setLevel(before);
        others.forEach(root::addAppender);
    }
}
