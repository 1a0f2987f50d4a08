package dev.holdfast.store;

import dev.holdfast.config.QuarantineConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quarantine in the directory {@code quarantine} of a data directory, in {@link QuarantineFile files} of its own. Not in RocksDB:
 * a request is written once and deleted with its file, and nothing is ever merged, however many come. One thread, {@code quarantine},
 * opens and changes the files, so that no start and no request waits for them; reading goes on beside it.
 */
public final class FileQuarantine implements Quarantine {
    private static final Logger LOG = LoggerFactory.getLogger(FileQuarantine.class);
    /** Beyond it the oldest go, however small they are. */
    static final int MAX_COUNT = 100_000;

    private static final int REQUESTS_PER_SECOND = 1_000;
    private static final long BYTES_PER_SECOND = 8L << 20;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SPACE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long REMOVAL_SECONDS = 100;
    /** An object, its array and its place in the queue. */
    private static final int OVERHEAD = 256;

    /** What is kept, and how. */
    record Limits(QuarantineConfig config, int maxCount, QuarantineRate rate) {
        static Limits of(QuarantineConfig config) {
            return new Limits(
                    config, MAX_COUNT, new QuarantineRate(REQUESTS_PER_SECOND, BYTES_PER_SECOND, System::nanoTime));
        }
    }

    private final Path directory;
    private final Limits limits;
    private final long reserve;
    private final QuarantineMeters meters;
    private final QuarantineFiles files;
    private final QuarantineReader reader;
    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final AtomicLong waiting = new AtomicLong();
    private final CountDownLatch tried = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable String failure = "it is not open yet";
    private volatile boolean closed;
    private boolean open;
    private boolean ended;
    private long triedAt;
    private long lookedAt;
    private boolean hasSpace = true;

    private FileQuarantine(Path data, Limits limits, long reserve, MeterRegistry registry, InstantSource clock) {
        this.directory = data.resolve("quarantine");
        this.limits = limits;
        this.reserve = reserve;
        this.meters = new QuarantineMeters(registry);
        this.files = new QuarantineFiles(directory, limits.config(), limits.maxCount(), meters, clock);
        this.reader = new QuarantineReader(files, meters);
        thread = new Thread(this::run, "quarantine");
        // Nothing that is in it was promised to anybody.
        thread.setDaemon(true);
        thread.start();
        meters.watch(registry, files::count, files::size);
    }

    /**
     * Opens the quarantine of a data directory, which is made when it is not there. Never fails: what goes wrong with it costs the
     * quarantine, not the gateway.
     *
     * @param reserve bytes of free disk space that it leaves to the journal
     */
    public static FileQuarantine open(Path data, QuarantineConfig config, long reserve, MeterRegistry registry) {
        return open(data, Limits.of(config), reserve, registry, Clock.systemUTC());
    }

    /** With other limits and another clock: the seam for tests. */
    static FileQuarantine open(Path data, Limits limits, long reserve, MeterRegistry registry, InstantSource clock) {
        return new FileQuarantine(data, limits, reserve, registry, clock);
    }

    @Override
    public void keep(int bodyBytes, Supplier<QuarantinedRequest> request) {
        if (closed) {
            dropped(Drop.STORAGE);
        } else if (bodyBytes > limits.config().maxBody()) {
            dropped(Drop.TOO_LARGE);
        } else if (!limits.rate().tryTake(bodyBytes)) {
            dropped(Drop.RATE);
        } else if (waiting.get() > QuarantineConfig.WAITING) {
            dropped(Drop.BUSY);
        } else {
            enqueue(bodyBytes, request.get());
        }
    }

    private void enqueue(int bodyBytes, QuarantinedRequest request) {
        int head = OVERHEAD + 2 * request.query().length();
        for (QuarantinedRequest.Header header : request.headers()) {
            head += 2 * (header.name().length() + header.value().length()) + OVERHEAD;
        }
        limits.rate().alsoTake(head);
        int bytes = head + bodyBytes;
        waiting.addAndGet(bytes);
        queue.add(() -> {
            waiting.addAndGet(-bytes);
            write(request);
        });
    }

    @Override
    public void dropped(Drop cause) {
        meters.dropped(cause);
    }

    private void run() {
        openFiles();
        tried.countDown();
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
            dropped(Drop.STORAGE);
            failed("can't be written", e);
        }
    }

    private void openFiles() {
        triedAt = System.nanoTime();
        try {
            reader.found(files.open());
            open = true;
            failure = null;
        } catch (IOException | RuntimeException e) {
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

    private void write(QuarantinedRequest request) {
        if (failure != null && System.nanoTime() - triedAt < RETRY_NANOS) {
            dropped(Drop.STORAGE);
            return;
        }
        if (!open) {
            openFiles();
        }
        if (!open) {
            dropped(Drop.STORAGE);
        } else if (!hasSpace()) {
            dropped(Drop.SPACE);
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
            dropped(Drop.STORAGE);
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

    @Override
    public void walk(QuarantineFilter filter, Predicate<QuarantinedRequest> more) {
        awaitOpening();
        reader.walk(filter, more);
    }

    private void awaitOpening() {
        try {
            tried.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while the quarantine was being opened", e);
        }
        if (closed) {
            throw new StoreException("the quarantine is closed");
        }
    }

    @Override
    public long remove(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return 0;
        }
        awaitOpening();
        Set<Long> wanted = new HashSet<>(ids);
        CompletableFuture<Long> removed = new CompletableFuture<>();
        queue.add(() -> {
            try {
                removed.complete(files.remove(wanted));
            } catch (IOException | RuntimeException e) {
                removed.completeExceptionally(e);
            }
        });
        try {
            return removed.orTimeout(REMOVAL_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new StoreException("can't take requests out of the quarantine: " + e.getCause(), e);
        }
    }

    @Override
    public void expire() {
        queue.add(() -> {
            try {
                if (open) {
                    files.expire();
                }
            } catch (IOException e) {
                failed("can't be tidied up", e);
            }
        });
    }

    @Override
    public long count() {
        return files.count();
    }

    @Override
    public String notice() {
        String broken = failure;
        if (broken == null) {
            return reader.notice();
        }
        return tried.getCount() > 0 ? "" : "the quarantine " + broken;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        queue.add(() -> ended = true);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
