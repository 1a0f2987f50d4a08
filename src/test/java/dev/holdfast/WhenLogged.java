package dev.holdfast;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;

/** Does something once, on the thread that logs, when a class warns in certain words. */
public final class WhenLogged extends UnsynchronizedAppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger log;
    private final String words;
    private final Callable<?> action;
    private volatile boolean done;

    public WhenLogged(Class<?> type, String words, Callable<?> action) {
        this.log = (Logger) LoggerFactory.getLogger(type);
        this.words = words;
        this.action = action;
        start();
        log.addAppender(this);
        log.setLevel(Level.WARN);
    }

    /** The thread that says so has no memory left at that moment. */
    public static WhenLogged outOfMemory(Class<?> type, String words) {
        return new WhenLogged(type, words, () -> {
            throw new OutOfMemoryError("a trial");
        });
    }

    public boolean isDone() {
        return done;
    }

    /** What is thrown reaches whoever logs. */
    @Override
    public void doAppend(ILoggingEvent event) {
        append(event);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getFormattedMessage().contains(words)) {
            close();
            done = true;
            try {
                action.call();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    public void close() {
        log.detachAppender(this);
        log.setLevel(null);
    }
}
