package dev.holdfast.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes to standard error, many lines with one system call: a line waits at most {@value #MAX_WAIT_MILLIS} ms for others,
 * a warning for none. {@link Logs#flush} before the process ends.
 */
public final class BatchedConsoleAppender extends OutputStreamAppender<ILoggingEvent> {
    private static final int MAX_WAIT_MILLIS = 100;
    private static final int BUFFER_BYTES = 64 * 1024;

    private @Nullable ScheduledExecutorService flushing;

    @Override
    public void start() {
        setImmediateFlush(false);
        setOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.err), BUFFER_BYTES));
        flushing = Executors.newSingleThreadScheduledExecutor(BatchedConsoleAppender::daemon);
        flushing.scheduleWithFixedDelay(this::flush, MAX_WAIT_MILLIS, MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        super.start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        super.append(event);
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
            flush();
        }
    }

    @Override
    public void stop() {
        if (flushing != null) {
            flushing.shutdownNow();
        }
        super.stop();
    }

    void flush() {
        streamWriteLock.lock();
        try {
            getOutputStream().flush();
        } catch (IOException e) {
            addError("standard error can't be written", e);
        } finally {
            streamWriteLock.unlock();
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "log-flush");
        thread.setDaemon(true);
        return thread;
    }
}
