package dev.holdfast.quarantine;

import dev.holdfast.disk.FreeSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and changes the files of the quarantine, on a thread of its own, {@code quarantine}: what goes wrong with them costs the
 * quarantine, and no start and no request waits for them. What fails is tried again when the next request comes, a while later.
 */
final class QuarantineWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineWriter.class);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SPACE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long REMOVAL_SECONDS = 100;
    private static final long CLOSING_SECONDS = 10;

    private final Path directory;
    private final long reserve;
    private final QuarantineFiles files;
    private final QuarantineMeters meters;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(QuarantineWriter::thread);
    private final Future<?> tried;
    private volatile @Nullable String failure;
    private volatile boolean open;
    /** Around the data directory, as it was when the files were opened: its own may be deleted, and is made again. */
    private @Nullable FreeSpace space;

    private long triedAt;
    private long lookedAt;
    private boolean hasSpace = true;

    /** @param reserve bytes of free disk space that it leaves to the journal */
    QuarantineWriter(Path directory, long reserve, QuarantineFiles files, QuarantineMeters meters) {
        this.directory = directory;
        this.reserve = reserve;
        this.files = files;
        this.meters = meters;
        this.tried = thread.submit(() -> attempt(() -> {}));
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "quarantine");
        // Nothing that is in it was promised to anybody.
        thread.setDaemon(true);
        return thread;
    }

    /** Has something done, after all before it; false when it is closed. Any thread. */
    boolean add(Runnable task) {
        try {
            thread.execute(() -> carryOut(task));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Whatever goes wrong with one, the next one may be kept: an error that ended the thread would end the process. */
    private void carryOut(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /** Blocks until something is done, after all before it. Any thread. */
    <T> T call(Callable<T> change) {
        try {
            return thread.submit(change).get(REMOVAL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            throw new QuarantineException(
                    "can't take requests out of the quarantine: " + Objects.requireNonNullElse(e.getCause(), e), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static QuarantineException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new QuarantineException("interrupted while waiting for the quarantine", e);
    }

    /** Blocks until it was tried to open the files. Any thread. */
    void requireOpen() {
        try {
            tried.get();
        } catch (ExecutionException e) {
            throw new QuarantineException("the quarantine can't be opened", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (!open || thread.isShutdown()) {
            throw new QuarantineException("the quarantine " + (open ? "is closed" : failure));
        }
    }

    /** What keeps requests from being kept; null when nothing does, or nobody knows yet. Any thread. */
    @Nullable
    String failure() {
        return failure;
    }

    private interface Work {
        void run() throws IOException;
    }

    /** With the files open; false when that can't be, or it fails. */
    private boolean attempt(Work work) {
        try {
            if (!open) {
                files.open();
                space = FreeSpace.around(directory.resolveSibling("."));
                open = true;
            }
            work.run();
            if (failure != null) {
                LOG.info("the quarantine in {} keeps refused requests again", directory);
            }
            failure = null;
            return true;
        } catch (IOException | RuntimeException | Error e) {
            // An Error as well: whoever reads waits for this.
            failed(e);
            return false;
        }
    }

    private void failed(Throwable cause) {
        String what = open ? "can't be written" : "can't be opened";
        if (failure == null) {
            LOG.error("the quarantine in {} {}, refused requests are not kept: {}", directory, what, cause.toString());
        }
        failure = what + ": " + cause;
        triedAt = System.nanoTime();
    }

    /** By its own thread. */
    void write(QuarantinedRequest request) {
        if (failure != null && System.nanoTime() - triedAt < RETRY_NANOS) {
            meters.dropped(QuarantineMeters.Drop.STORAGE);
        } else if (open && !hasSpace()) {
            meters.dropped(QuarantineMeters.Drop.SPACE);
        } else if (attempt(() -> files.append(request))) {
            meters.kept.increment();
        } else {
            meters.dropped(QuarantineMeters.Drop.STORAGE);
        }
    }

    private boolean hasSpace() {
        long now = System.nanoTime();
        if (lookedAt == 0 || now - lookedAt > SPACE_NANOS) {
            lookedAt = now;
            hasSpace = space != null && space.has(reserve);
        }
        return hasSpace;
    }

    /** By its own thread. */
    void expire() {
        if (failure != null) {
            // What is there can be read, and what is over isn't told, without waiting for the next request.
            attempt(files::resume);
        }
        try {
            if (open) {
                files.expire();
            }
        } catch (IOException | RuntimeException e) {
            // The next request is kept all the same.
            LOG.warn("what is too old in the quarantine in {} can't be deleted: {}", directory, e.toString());
        }
    }

    /** When all is done that was added before. Any thread. */
    @Override
    public void close() {
        add(files::close);
        thread.shutdown();
        try {
            thread.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
