package dev.holdfast.supervision;

import dev.holdfast.consumer.FailureTrace;
import dev.holdfast.logging.Logs;
import dev.holdfast.receiver.MemoryShortage;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process where it would go on deaf: when an event loop has died, hangs, or lost something for want of memory, and
 * when memory runs out in one request after the other. Whoever runs the process starts it again; nothing that was
 * acknowledged is lost by that. A thread of its own, which allocates next to nothing.
 */
public final class Watchdog implements AutoCloseable {
    /** The exit status, the same that Java ends with by {@code -XX:+ExitOnOutOfMemoryError}. */
    static final int STATUS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final long ROUND_MILLIS = 500;
    /** Rounds, not time: while the process stands still as a whole none of them passes. */
    private static final int HANGS_AFTER = 60;

    /** Rounds in a row for which there was no memory. */
    static final int STARVES_AFTER = 10;

    /** What it takes to say so. */
    private static final int LAST_WORDS_BYTES = 1 << 20;

    private static final long SHORTAGE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** An event loop, and how many rounds ago it answered. */
    private static final class EventLoop {
        private final Executor executor;
        private final Runnable answer = this::answered;
        private volatile boolean asked;
        private int silent;

        EventLoop(Executor executor) {
            this.executor = executor;
        }

        private void answered() {
            asked = false;
        }

        /** Why it can't be relied on any more; empty when it can. */
        String check() {
            silent = asked ? silent + 1 : 0;
            if (silent > HANGS_AFTER) {
                return "an event loop has not answered for " + HANGS_AFTER * ROUND_MILLIS / 1000 + " s";
            }
            if (!asked) {
                asked = true;
                try {
                    executor.execute(answer);
                } catch (RejectedExecutionException e) {
                    return "an event loop has died";
                }
            }
            return "";
        }
    }

    private final List<EventLoop> loops;
    private final LongSupplier shortage;
    private final Consumer<String> end;
    private final Thread thread = new Thread(this::run, "watchdog");
    private volatile boolean closed;
    private int starved;

    @SuppressWarnings("UnusedVariable") // held for the room it takes
    private volatile byte @Nullable [] reserve = new byte[LAST_WORDS_BYTES];

    /**
     * @param loops each of them runs what it is given, in order
     * @param shortage for how long memory runs out in requests, in nanoseconds
     * @param end ends the process for the reason it is given
     */
    Watchdog(List<Executor> loops, LongSupplier shortage, Consumer<String> end) {
        this.loops = loops.stream().map(EventLoop::new).toList();
        this.shortage = shortage;
        this.end = end;
    }

    public static Watchdog over(List<Executor> loops, LongSupplier shortage) {
        Watchdog watchdog = new Watchdog(loops, shortage, Watchdog::end);
        watchdog.thread.setDaemon(true);
        watchdog.thread.start();
        return watchdog;
    }

    /** Takes what nobody else did: a task that was lost for want of memory may be one that others wait for. */
    public static void uncaught(Throwable failure) {
        if (MemoryShortage.in(failure) != null) {
            end("out of memory outside of a request: " + failure.getMessage());
        } else {
            LOG.error("unexpected: {}", FailureTrace.of(failure));
        }
    }

    private void run() {
        while (!closed) {
            try {
                Thread.sleep(ROUND_MILLIS);
                check();
                starved = 0;
            } catch (InterruptedException e) {
                return;
            } catch (OutOfMemoryError e) {
                // The next round may have some. Where none has, even a dead loop can't be told from a living one.
                starved();
            }
        }
    }

    /** A round for which there was no memory. Takes none itself, but for what is set apart for the last line. */
    void starved() {
        if (++starved == STARVES_AFTER) {
            reserve = null;
            end.accept("there is no memory left at all");
        }
    }

    /** One round. */
    void check() {
        for (EventLoop loop : loops) {
            String complaint = loop.check();
            if (!complaint.isEmpty() && !closed) {
                end.accept(complaint);
            }
        }
        if (shortage.getAsLong() > SHORTAGE_NANOS) {
            end.accept("out of memory, and no push was accepted for " + TimeUnit.NANOSECONDS.toSeconds(SHORTAGE_NANOS)
                    + " s");
        }
    }

    /** At once: with an event loop gone, nothing ends in good order. */
    private static void end(String why) {
        try {
            LOG.error("{}: the process ends with status {}, to be started again", why, STATUS);
            Logs.flush();
        } finally {
            Runtime.getRuntime().halt(STATUS);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
