package dev.holdfast.store;

import dev.holdfast.config.QuarantineConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The quarantine in the directory {@code quarantine} of a data directory, in {@link QuarantineFile files} of its own. Not in RocksDB:
 * a request is written once and deleted with its file, and nothing is ever merged, however many come. One thread, {@code quarantine},
 * opens and changes the files, so that no start and no request waits for them; reading goes on beside it.
 */
public final class FileQuarantine implements Quarantine {
    /** Beyond it the oldest go, however small they are. */
    static final int MAX_COUNT = 100_000;

    private static final int REQUESTS_PER_SECOND = 1_000;
    private static final long BYTES_PER_SECOND = 8L << 20;
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

    private final Limits limits;
    private final QuarantineMeters meters;
    private final QuarantineFiles files;
    private final QuarantineWriter writer;
    private final AtomicLong waiting = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    private FileQuarantine(Path data, Limits limits, long reserve, MeterRegistry registry, InstantSource clock) {
        Path directory = data.resolve("quarantine");
        this.limits = limits;
        this.meters = new QuarantineMeters(registry);
        this.files = new QuarantineFiles(directory, limits.config(), limits.maxCount(), meters, clock);
        writer = new QuarantineWriter(directory, reserve, files, meters);
        thread = new Thread(writer, "quarantine");
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
        writer.add(() -> {
            waiting.addAndGet(-bytes);
            writer.write(request);
        });
    }

    @Override
    public void dropped(Drop cause) {
        meters.dropped(cause);
    }

    @Override
    public void walk(QuarantineFilter filter, Predicate<QuarantinedRequest> more) {
        requireOpen();
        long cutoff = files.cutoff();
        NavigableMap<Long, QuarantineFile> all = files.all();
        Long first = all.floorKey(filter.from());
        NavigableMap<Long, QuarantineFile> wanted = first == null ? all : all.tailMap(first, true);
        for (QuarantineFile file : List.copyOf(wanted.values())) {
            if (file.firstId() > filter.to() || !walk(file, filter, cutoff, more)) {
                return;
            }
        }
    }

    /** A file is read forwards, so the last ones that match are kept on the way. */
    @Override
    public <T> List<T> newest(QuarantineFilter filter, int max, Function<QuarantinedRequest, T> part) {
        requireOpen();
        long cutoff = files.cutoff();
        List<T> found = new ArrayList<>();
        for (QuarantineFile file : List.copyOf(
                files.all().headMap(filter.to(), true).descendingMap().values())) {
            if (found.size() >= max || file.lastId() < filter.from()) {
                break;
            }
            Deque<T> last = new ArrayDeque<>();
            int room = max - found.size();
            walk(file, filter, cutoff, request -> {
                if (last.size() == room) {
                    last.removeFirst();
                }
                return last.add(part.apply(request));
            });
            last.descendingIterator().forEachRemaining(found::add);
        }
        return found;
    }

    private boolean walk(
            QuarantineFile file, QuarantineFilter filter, long cutoff, Predicate<QuarantinedRequest> more) {
        try {
            return file.read(
                    (id, receivedAt) -> receivedAt >= cutoff && filter.mayMatch(id, receivedAt),
                    id -> files.damage().request(file, id),
                    request -> !filter.matches(request) || more.test(request));
        } catch (NoSuchFileException e) {
            // Its time has come meanwhile, or somebody else has taken it.
            return true;
        } catch (IOException e) {
            files.damage().unreadable(file, e);
            return true;
        }
    }

    private void requireOpen() {
        writer.awaitOpening();
        if (closed) {
            throw new StoreException("the quarantine is closed");
        }
        if (!writer.isOpen()) {
            throw new StoreException(String.valueOf(writer.failure()));
        }
    }

    @Override
    public long remove(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return 0;
        }
        requireOpen();
        NavigableSet<Long> wanted = new TreeSet<>(ids);
        CompletableFuture<Long> removed = new CompletableFuture<>();
        writer.add(() -> {
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
        writer.add(writer::expire);
    }

    @Override
    public long count() {
        return files.count();
    }

    @Override
    public String notice() {
        String broken = writer.failure();
        if (broken != null) {
            return broken;
        }
        String damage = files.damage().text();
        return damage.isEmpty() ? "" : "the quarantine: " + damage;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        writer.end();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
