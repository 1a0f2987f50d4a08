package dev.holdfast.logging;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts the lines of libraries whose loggers tell of what clients send, so that no client can fill the disk with them: of
 * one logger {@value #MOST} are written in a minute. Any thread.
 */
final class LibraryLines {
    /** So many of a logger in a minute: a line may have a trace of sixty. */
    static final int MOST = 10;

    /** It tells of threads of ours that stand still, once a second, and of where they do only after some. */
    private static final String BLOCKED_THREADS = "io.vertx.core.impl.BlockedThreadChecker";

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final class Minute {
        private final long began;
        private int lines;

        Minute(long began) {
            this.began = began;
        }
    }

    private final List<String> libraries;
    private final LongSupplier nanoTime;
    /** By logger. */
    private final Map<String, Minute> minutes = new HashMap<>();

    /** @param libraries what the names of their loggers begin with */
    LibraryLines(List<String> libraries, LongSupplier nanoTime) {
        this.libraries = libraries;
        this.nanoTime = nanoTime;
    }

    /** The how-manieth line of a logger this is in its minute; always 0 for one that is not limited. */
    int count(String logger) {
        boolean limited = libraries.stream().anyMatch(logger::startsWith) && !logger.equals(BLOCKED_THREADS);
        return limited ? countOf(logger) : 0;
    }

    private synchronized int countOf(String logger) {
        long now = nanoTime.getAsLong();
        Minute minute = minutes.get(logger);
        if (minute == null || now - minute.began >= MINUTE_NANOS) {
            minute = new Minute(now);
            minutes.put(logger, minute);
        }
        minute.lines++;
        return minute.lines;
    }
}
