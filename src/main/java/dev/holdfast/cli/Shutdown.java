package dev.holdfast.cli;

import dev.holdfast.logging.Logs;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waiting for the signal to stop, and ending with status 0 when everything did: by itself Java would say 143 or 130. */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private Shutdown() {}

    /** Waits for SIGTERM or Ctrl-C, runs {@code stop}, and ends the process: does not return. */
    static int await(Runnable stop) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop), "stop"));
        new CountDownLatch(1).await();
        return 1;
    }

    /**
     * Until it is over, SIGTERM or Ctrl-C end the process with status 0 at once: there is nothing to drain while a gateway
     * starts, be it that it waits for the disk.
     */
    static Starting starting() {
        return new Starting();
    }

    /** See {@link #starting}. */
    static final class Starting {
        private final Thread hook = new Thread(() -> end(() -> LOG.info("stopped before the start was over")), "stop");

        private Starting() {
            Runtime.getRuntime().addShutdownHook(hook);
        }

        void over() {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                LOG.debug("the process is ending already", e);
            }
        }
    }

    /** Does by itself what Ctrl-C does; returns at once. */
    static void begin() {
        new Thread(() -> System.exit(0), "exit").start();
    }

    private static void end(Runnable stop) {
        int status = 0;
        try {
            stop.run();
        } catch (RuntimeException e) {
            LOG.error("the stop failed", e);
            status = 1;
        }
        System.out.flush();
        Logs.flush();
        Runtime.getRuntime().halt(status);
    }
}
