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
