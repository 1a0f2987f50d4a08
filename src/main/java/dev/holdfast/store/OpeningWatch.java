package dev.holdfast.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says again and again that an opening is still under way, until it is closed: an opening that hangs is not silent. */
public final class OpeningWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpeningWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Path directory;
    private final long start = System.nanoTime();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread named = new Thread(task, "store-opening");
        named.setDaemon(true);
        return named;
    });

    private OpeningWatch(Path directory) {
        this.directory = directory;
    }

    public static OpeningWatch over(Path directory) {
        return over(directory, INTERVAL);
    }

    static OpeningWatch over(Path directory, Duration interval) {
        OpeningWatch watch = new OpeningWatch(directory);
        watch.every(interval);
        return watch;
    }

    private void every(Duration interval) {
        // Delays, not a rate: a warning that can't be written soon is not made up for by many.
        var unused =
                timer.scheduleWithFixedDelay(this::warn, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void warn() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        LOG.warn("{} is still being opened, for {} s by now", directory, seconds);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
