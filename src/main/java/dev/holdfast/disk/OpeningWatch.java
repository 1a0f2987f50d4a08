package dev.holdfast.disk;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says again and again that an opening is still under way, until it is closed: an opening that hangs is not silent. */
public final class OpeningWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpeningWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Thread thread;

    private OpeningWatch(Path directory, Duration interval) {
        thread = new Thread(() -> watch(directory, interval), "opening");
        thread.setDaemon(true);
    }

    public static OpeningWatch over(Path directory) {
        return over(directory, INTERVAL);
    }

    static OpeningWatch over(Path directory, Duration interval) {
        OpeningWatch watch = new OpeningWatch(directory, interval);
        watch.thread.start();
        return watch;
    }

    private static void watch(Path directory, Duration interval) {
        long start = System.nanoTime();
        try {
            while (true) {
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
                long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
                LOG.warn("{} is still being opened, for {} s by now", directory, seconds);
            }
        } catch (InterruptedException opened) {
            // Nothing is left to tell.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
