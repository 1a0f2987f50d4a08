package dev.holdfast.supervision;

import static java.nio.charset.StandardCharsets.US_ASCII;

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
 * Ends the process when it would otherwise run on without receiving: when an event loop has died, hangs, or lost a task
 * for want of memory, and when request after request runs out of memory. Its supervisor starts it again; nothing that
 * was acknowledged is lost by that. Has a thread of its own, which allocates next to nothing.
 */
public final class Watchdog implements AutoCloseable {
    /** The exit status, the same as Java's with {@code -XX:+ExitOnOutOfMemoryError}. */
    static final int STATUS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    /** Limited, unlike the other: a listener on the bus may throw for each push. */
    private static final Logger UNCAUGHT = LoggerFactory.getLogger(Logs.UNCAUGHT);

    private static final long ROUND_MILLIS = 500;
    /**
     * After so many rounds without an answer a loop hangs. Rounds, not time: while the whole process stands still, no
     * round passes.
     */
    private static final int HANGS_AFTER = 60;

    /** Rounds in a row for which there was no memory. */
    static final int STARVES_AFTER = 10;

    /** Memory needed to log the end. */
    private static final int LAST_WORDS_BYTES = 1 << 20;

    @SuppressWarnings("UnusedVariable") // held for the room it takes
    private static volatile byte @Nullable [] reserve = new byte[LAST_WORDS_BYTES];

    private static final long SHORTAGE_SECONDS = 10;

    /** Why the process is ended. Each has its log line ready, for when there is no memory to make one. */
    enum Cause {
        DEAD("an event loop has died"),
        HANGING("an event loop has not answered for " + HANGS_AFTER * ROUND_MILLIS / 1000 + " s"),
        STARVED("there is no memory left at all"),
        SHORTAGE("out of memory, and no push was accepted for " + SHORTAGE_SECONDS + " s"),
        LOST("out of memory outside of a request");

        private final String words;

        @SuppressWarnings("ImmutableEnumChecker") // nobody changes it
        private final byte[] line;

        Cause(String words) {
            this.words = words;
            this.line = ("holdfast: " + words + ": the process ends with status " + STATUS + ", to be started again\n")
                    .getBytes(US_ASCII);
        }
    }

    static {
        // Done while there is memory: a class takes some when it is used for the first time.
        LOG.trace("may end the process because {}", (Object) Cause.values());
    }

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

        /** Why the loop can't be relied on any more; null while it can. */
        @Nullable
        Cause check() {
            silent = asked ? silent + 1 : 0;
            if (silent > HANGS_AFTER) {
                return Cause.HANGING;
            }
            if (!asked) {
                asked = true;
                try {
                    executor.execute(answer);
                } catch (RejectedExecutionException e) {
                    return Cause.DEAD;
                }
            }
            return null;
        }
    }

    private final List<EventLoop> loops;
    private final LongSupplier shortage;
    private final Consumer<Cause> end;
    private final Thread thread = new Thread(this::run, "watchdog");
    private volatile boolean closed;
    private int starved;

    /**
     * @param loops runs what it is given, in order, on one event loop
     * @param shortage for how long requests have been running out of memory, in nanoseconds
     * @param end ends the process for this cause
     */
    Watchdog(List<Executor> loops, LongSupplier shortage, Consumer<Cause> end) {
        this.loops = loops.stream().map(EventLoop::new).toList();
        this.shortage = shortage;
        this.end = end;
    }

    public static Watchdog over(List<Executor> loops, LongSupplier shortage) {
        Watchdog watchdog = new Watchdog(loops, shortage, cause -> end(cause, null));
        watchdog.thread.setDaemon(true);
        watchdog.thread.start();
        return watchdog;
    }

    /**
     * Handles exceptions that nobody caught: a task that was lost for want of memory may be one that others wait for.
     */
    public static void uncaught(Throwable failure) {
        OutOfMemoryError shortage = MemoryShortage.in(failure);
        if (shortage != null) {
            end(Cause.LOST, shortage);
        } else {
            UNCAUGHT.error("unexpected: {}", FailureTrace.of(failure));
        }
    }

    private void run() {
        while (!closed) {
            try {
                Thread.sleep(ROUND_MILLIS);
                check();
            } catch (InterruptedException e) {
                return;
            } catch (OutOfMemoryError | LinkageError e) {
                // The next round may have memory, or the class that was not found. Without memory a dead loop can't be
                // told from a living one.
                starved();
            }
        }
    }

    /** Counts a round for which there was no memory. Allocates nothing. */
    void starved() {
        if (++starved >= STARVES_AFTER) {
            end.accept(Cause.STARVED);
        }
    }

    /** One round, for which there is memory unless it throws. */
    void check() {
        for (EventLoop loop : loops) {
            Cause cause = loop.check();
            if (cause != null && !closed) {
                end.accept(cause);
            }
        }
        if (shortage.getAsLong() > TimeUnit.SECONDS.toNanos(SHORTAGE_SECONDS)) {
            end.accept(Cause.SHORTAGE);
        }
        starved = 0;
    }

    /** Ends the process at once: without an event loop nothing stops in good order. */
    private static void end(Cause cause, @Nullable Throwable failure) {
        try {
            reserve = null;
            String detail = failure == null ? "" : " (" + failure.getMessage() + ")";
            LOG.error("{}{}: the process ends with status {}, to be started again", cause.words, detail, STATUS);
            Logs.flush();
        } catch (OutOfMemoryError | LinkageError e) {
            Logs.last(cause.line);
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
