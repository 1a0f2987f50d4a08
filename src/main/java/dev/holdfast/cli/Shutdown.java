package dev.holdfast.cli;

import dev.holdfast.logging.Logs;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the signal to stop, and ends the process with status 0 if everything stopped; Java by itself would end with
 * 143 or 130. If something else ends the process, the status is another one, so that its supervisor starts it again.
 */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private static final String EXIT = "exit";

    private static final long FLUSH_MILLIS = 5_000;

    /** Released when a thread waits to stop what runs: an exit before that would stop nothing. */
    private static final CountDownLatch AWAITED = new CountDownLatch(1);

    private static final Thread HOOK = new Thread(Shutdown::end, "stop");

    private static @Nullable Runnable stop;
    private static volatile int wanted = ExitStatus.DONE;

    private Shutdown() {}

    /** Waits for SIGTERM or Ctrl-C, runs {@code stop}, and ends the process: does not return. */
    static int await(Runnable stop) throws InterruptedException {
        stopBy(stop);
        AWAITED.countDown();
        new CountDownLatch(1).await();
        return 1;
    }

    /**
     * Until {@link #stopBy}, SIGTERM or Ctrl-C end the process with status 0 at once: there is nothing to drain while a
     * gateway starts, even if it waits for the disk.
     */
    static void starting() {
        stopBy(() -> LOG.info("stopped before the start was over"));
    }

    /**
     * From now on SIGTERM or Ctrl-C run {@code stop} and end the process. Does not return if the process is ending
     * already.
     */
    static synchronized void stopBy(Runnable stop) {
        if (Shutdown.stop == null) {
            Runtime.getRuntime().addShutdownHook(HOOK);
        }
        Shutdown.stop = stop;
    }

    /** Notes that the process ends by itself, with a status of its own. */
    static void failed() {
        try {
            Runtime.getRuntime().removeShutdownHook(HOOK);
        } catch (IllegalStateException e) {
            LOG.debug("the process is ending already", e);
        }
    }

    /**
     * Does what Ctrl-C does, as soon as it is awaited; returns at once.
     *
     * @param status that the process ends with if everything stops
     */
    static void begin(int status) {
        Thread exit = new Thread(() -> exit(status), EXIT);
        exit.setDaemon(true);
        exit.start();
    }

    private static void exit(int status) {
        try {
            AWAITED.await();
            wanted = status;
            System.exit(status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes the end final: a thread that would open the port now waits for ever. */
    private static synchronized void end() {
        int status = wanted;
        try {
            Objects.requireNonNull(stop).run();
            Optional<Thread> exiting = exiting();
            if (exiting.isPresent()) {
                LOG.error(
                        "stopped because the thread {} called System.exit",
                        exiting.get().getName());
                status = ExitStatus.FAILED;
            }
        } catch (RuntimeException | Error e) {
            LOG.error("the stop failed", e);
            status = ExitStatus.FAILED;
        }
        flushOutput();
        Logs.flush();
        Runtime.getRuntime().halt(status);
    }

    /**
     * The thread that called {@link System#exit}, such as a consumer's; empty after a signal, which ends Java in
     * another way, and after {@link #begin}.
     */
    private static Optional<Thread> exiting() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(one -> Arrays.stream(one.getValue())
                        .anyMatch(call -> call.getClassName().equals(Runtime.class.getName())
                                && call.getMethodName().equals("exit")))
                .map(Map.Entry::getKey)
                .filter(thread -> !thread.getName().equals(EXIT))
                .findFirst();
    }

    /**
     * Flushes standard output, but doesn't wait for ever: its reader may have stalled, and then a consumer that prints
     * holds the lock.
     */
    private static void flushOutput() {
        Thread flushing = new Thread(System.out::flush, "flush");
        flushing.setDaemon(true);
        flushing.start();
        try {
            flushing.join(FLUSH_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
