package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and changes the files of the quarantine, on a thread of its own: what goes wrong with them costs the quarantine, not the
 * gateway. What fails is tried again when the next request comes, a while later.
 */
final class QuarantineWriter implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineWriter.class);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SPACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path directory;
    private final long reserve;
    private final QuarantineFiles files;
    private final QuarantineMeters meters;
    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final CountDownLatch tried = new CountDownLatch(1);
    private volatile @Nullable String failure = "it is not open yet";
    private volatile boolean open;
    private boolean ended;
    private long triedAt;
    private long lookedAt;
    private boolean hasSpace = true;

    /** @param reserve bytes of free disk space that it leaves to the journal */
    QuarantineWriter(Path directory, long reserve, QuarantineFiles files, QuarantineMeters meters) {
        this.directory = directory;
        this.reserve = reserve;
        this.files = files;
        this.meters = meters;
    }

    /** Has something done, after all before it. Any thread. */
    void add(Runnable task) {
        queue.add(task);
    }

    /** Ends when all is done that was added before. Any thread. */
    void end() {
        queue.add(() -> ended = true);
    }

    /** Blocks until it was tried to open the files. Any thread. */
    void awaitOpening() {
        try {
            tried.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while the quarantine was being opened", e);
        }
    }

    /** Whether the files were ever opened. Any thread. */
    boolean isOpen() {
        return open;
    }

    /** What keeps requests from being kept; null when nothing does, empty while nobody knows yet. Any thread. */
    @Nullable
    String failure() {
        String broken = failure;
        if (broken == null) {
            return null;
        }
        return tried.getCount() > 0 ? "" : "the quarantine " + broken;
    }

    /** Until it is told to end. */
    @Override
    public void run() {
        try {
            openFiles();
        } finally {
            // Whoever reads waits for it.
            tried.countDown();
        }
        try {
            while (!ended) {
                carryOut(queue.take());
            }
            // Somebody may still wait for one.
            for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
                carryOut(task);
            }
            files.close();
        } catch (InterruptedException | IOException e) {
            LOG.warn("the quarantine is not closed in good order: {}", e.toString());
        }
    }

    /** Whatever goes wrong with one request, the next one may be kept. */
    private void carryOut(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | OutOfMemoryError e) {
            meters.dropped(Quarantine.Drop.STORAGE);
            failed("can't be written", e);
        }
    }

    private void openFiles() {
        triedAt = System.nanoTime();
        try {
            files.open();
            open = true;
            failure = null;
        } catch (IOException | RuntimeException | Error e) {
            // An Error as well, or the thread would end, and nothing be kept any more.
            failed("can't be opened", e);
        }
    }

    private void failed(String what, Throwable cause) {
        if (failure == null || !open) {
            LOG.error("the quarantine in {} {}, refused requests are not kept: {}", directory, what, cause.toString());
        }
        failure = what + ": " + cause;
        triedAt = System.nanoTime();
    }

    /** By its own thread. */
    void write(QuarantinedRequest request) {
        if (failure != null && System.nanoTime() - triedAt < RETRY_NANOS) {
            meters.dropped(Quarantine.Drop.STORAGE);
            return;
        }
        if (!open) {
            openFiles();
        }
        if (!open) {
            meters.dropped(Quarantine.Drop.STORAGE);
        } else if (!hasSpace()) {
            meters.dropped(Quarantine.Drop.SPACE);
        } else {
            append(request);
        }
    }

    private void append(QuarantinedRequest request) {
        try {
            files.append(request);
            meters.kept.increment();
            if (failure != null) {
                failure = null;
                LOG.info("the quarantine in {} keeps refused requests again", directory);
            }
        } catch (IOException e) {
            meters.dropped(Quarantine.Drop.STORAGE);
            failed("can't be written", e);
        }
    }

    private boolean hasSpace() {
        long now = System.nanoTime();
        if (lookedAt == 0 || now - lookedAt > SPACE_NANOS) {
            lookedAt = now;
            hasSpace = directory.toFile().getUsableSpace() >= reserve;
        }
        return hasSpace;
    }

    /** By its own thread. */
    void expire() {
        try {
            if (open) {
                files.expire();
            } else {
                // Nobody else may come whose request would have it tried again, and what is there can't be read until
                // then.
                openFiles();
            }
        } catch (IOException e) {
            // Nothing that keeps the next request from being kept.
            LOG.warn("what is too old in the quarantine in {} can't be deleted: {}", directory, e.toString());
        }
    }
}
