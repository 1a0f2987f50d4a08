package dev.holdfast.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long an opening tries again what can't be read, all of it together: for a while, then it passes it, as long as that is done
 * soon. No push is received meanwhile. By one thread.
 */
final class OpeningRetries {
    private static final Logger LOG = LoggerFactory.getLogger(OpeningRetries.class);
    private static final long PAUSE_MILLIS = 100;
    /** So long blocks are passed: each that can't be read may take its time. */
    private static final long PASSING_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LogDirectory directory;
    /** By {@link System#nanoTime}; 0: nothing has failed. */
    private long failingSince;

    OpeningRetries(LogDirectory directory) {
        this.directory = directory;
    }

    /** Which blocks count as damaged now. */
    UnreadablePolicy policy() {
        if (directory.isReadOnly()) {
            return UnreadablePolicy.ALWAYS;
        }
        long timeout = directory.disk().openingTimeoutNanos();
        if (failingSince == 0 || System.nanoTime() - failingSince < timeout) {
            return UnreadablePolicy.NEVER;
        }
        return block -> {
            if (System.nanoTime() - failingSince >= timeout + PASSING_NANOS) {
                throw new IOException("too much can't be read");
            }
            return true;
        };
    }

    /** Until a file that can't be read is tried again. */
    void pause(Path file, IOException cause) {
        if (failingSince == 0) {
            LOG.warn("{} can't be read as a whole, and is tried again: {}", file.getFileName(), cause.toString());
            failingSince = System.nanoTime();
        }
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException("interrupted while the journal in " + directory.path() + " was tried again", e);
        }
    }
}
