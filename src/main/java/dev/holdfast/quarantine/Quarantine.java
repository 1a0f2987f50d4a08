package dev.holdfast.quarantine;

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
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Requests whose signature did not match, kept for a while in the order of their arrival. Bounded by size, count and age, the
 * oldest going first, and by how many and how much may come in a second; what isn't kept is counted. Anybody can fill it: nothing
 * that it does waits for anything that accepted pushes need, and what goes wrong with it costs the quarantine only. Any thread.
 *
 * <p>They lie in the directory {@code quarantine} of a data directory, in {@link QuarantineFile files} of its own. Not in RocksDB: a
 * request is written once and deleted with its file, and nothing is ever merged, however many come. A {@link QuarantineWriter} changes
 * the files; reading goes on beside it.
 */
public final class Quarantine implements AutoCloseable {
    /** An object, its array and its place in the queue. */
    private static final int OVERHEAD = 256;

    private static final long SECOND_NANOS = 1_000_000_000L;

    /**
     * What is kept, and how.
     *
     * @param maxCount beyond it the oldest go, however small they are
     * @param perSecond requests taken in a second, and a second's at once
     * @param bytesPerSecond the same of what they take; a larger one is taken when nothing is owed, and owed for
     * @param nanoTime by which a second is measured
     */
    record Limits(QuarantineConfig config, int maxCount, int perSecond, long bytesPerSecond, LongSupplier nanoTime) {
        static Limits of(QuarantineConfig config) {
            return new Limits(config, 100_000, 1_000, 8L << 20, System::nanoTime);
        }
    }

    private final Limits limits;
    private final QuarantineMeters meters;
    private final QuarantineFiles files;
    private final QuarantineWriter writer;
    private final AtomicLong waiting = new AtomicLong();
    /** When all that was taken would have come at the highest rate. */
    private long paidAt;

    /** With other limits and another clock: the seam for tests. */
    Quarantine(Path data, Limits limits, long reserve, MeterRegistry registry, InstantSource clock) {
        Path directory = data.resolve("quarantine");
        this.limits = limits;
        this.paidAt = limits.nanoTime().getAsLong();
        this.meters = new QuarantineMeters(registry);
        this.files = new QuarantineFiles(directory, limits.config(), limits.maxCount(), meters, clock);
        this.writer = new QuarantineWriter(directory, reserve, files, meters);
        meters.watch(registry, files::count, files::size);
    }

    /**
     * Opens the quarantine of a data directory, which is made when it is not there. Never fails: what goes wrong with it costs the
     * quarantine, not the gateway.
     *
     * @param reserve bytes of free disk space that it leaves to the journal
     */
    public static Quarantine open(Path data, QuarantineConfig config, long reserve, MeterRegistry registry) {
        return new Quarantine(data, Limits.of(config), reserve, registry, Clock.systemUTC());
    }

    /**
     * Keeps a request, if the bounds let it. Never blocks. It survives the process's end, but nobody waits for the disk: a power
     * cut may cost the last ones.
     *
     * @param bodyBytes length of its body
     * @param request asked for at once, or not at all when it won't be kept
     */
    public void keep(int bodyBytes, Supplier<QuarantinedRequest> request) {
        if (bodyBytes > limits.config().maxBody()) {
            meters.dropped(QuarantineMeters.Drop.TOO_LARGE);
        } else if (!mayTake()) {
            meters.dropped(QuarantineMeters.Drop.RATE);
        } else if (waiting.get() > QuarantineConfig.WAITING) {
            meters.dropped(QuarantineMeters.Drop.BUSY);
        } else {
            enqueue(request.get());
        }
    }

    private void enqueue(QuarantinedRequest request) {
        int bytes = request.body().length + OVERHEAD + 2 * request.query().length();
        for (QuarantinedRequest.Header header : request.headers()) {
            bytes += 2 * (header.name().length() + header.value().length()) + OVERHEAD;
        }
        int taken = bytes;
        take(taken);
        waiting.addAndGet(taken);
        boolean added = writer.add(() -> {
            waiting.addAndGet(-taken);
            writer.write(request);
        });
        if (!added) {
            meters.dropped(QuarantineMeters.Drop.STORAGE);
        }
    }

    /** Whoever sends bad signatures as fast as they can takes so much of the processor and the disk and no more. */
    private synchronized boolean mayTake() {
        long now = limits.nanoTime().getAsLong();
        if (paidAt - now < 0) {
            paidAt = now;
        }
        return paidAt - now < SECOND_NANOS;
    }

    private synchronized void take(int bytes) {
        paidAt += Math.max(SECOND_NANOS / limits.perSecond(), bytes * SECOND_NANOS / limits.bytesPerSecond());
    }

    /** Counts one that was refused at its head: there is nothing to keep of it. */
    public void unread() {
        meters.dropped(QuarantineMeters.Drop.UNREAD);
    }

    /**
     * Walks through those that match in the order of their arrival until {@code more} says no. One whose bytes are wrong is logged,
     * counted and passed over, and so is what lies behind bytes that the disk doesn't give in a file. Reads the disk: blocks.
     *
     * @throws QuarantineException when it is not open
     */
    public void walk(QuarantineFilter filter, Predicate<QuarantinedRequest> more) {
        writer.requireOpen();
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

    /**
     * Those that match, in the order of their arrival, at most {@code max}. Blocks.
     *
     * @param part what is wanted of each: a page of whole requests may be larger than the memory
     */
    public <T> List<T> list(QuarantineFilter filter, int max, Function<QuarantinedRequest, T> part) {
        List<T> found = new ArrayList<>();
        walk(filter, request -> found.add(part.apply(request)) && found.size() < max);
        return found;
    }

    /** The same with the newest first: a file is read forwards, so the last ones that match are kept on the way. */
    public <T> List<T> newest(QuarantineFilter filter, int max, Function<QuarantinedRequest, T> part) {
        writer.requireOpen();
        long cutoff = files.cutoff();
        List<T> found = new ArrayList<>();
        for (QuarantineFile file :
                files.all().headMap(filter.to(), true).descendingMap().values()) {
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
        if (file.count() == 0) {
            // Nor need its header be there any more: a new one may have failed to take its place.
            return true;
        }
        try (QuarantineScanner records = file.records()) {
            for (QuarantineRecord head = records.next(); head != null; head = records.next()) {
                if (head.receivedAt() < cutoff || !filter.mayMatch(head.id(), head.receivedAt())) {
                    continue;
                }
                QuarantinedRequest request = head.request(records.content());
                if (request == null) {
                    files.damage().request(file.path(), head.id());
                } else if (filter.matches(request) && !more.test(request)) {
                    return false;
                }
            }
            if (records.isDamaged()) {
                files.damage().request(file.path(), file.firstId());
            }
        } catch (NoSuchFileException e) {
            // Its time has come meanwhile, or somebody else has taken it.
        } catch (IOException e) {
            files.damage().unreadable(file.path(), e);
        }
        return true;
    }

    /**
     * Takes some out, and frees their space on disk. Blocks until that is durable.
     *
     * @return how many of them there were
     * @throws QuarantineException when it is not open, or the disk fails; some may be out then
     */
    public long remove(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return 0;
        }
        writer.requireOpen();
        return writer.call(() -> files.remove(new TreeSet<>(ids)));
    }

    /** Takes out what is too old, or tries again to open it when that has failed. From time to time; never blocks. */
    public void expire() {
        writer.add(writer::expire);
    }

    /** How many there are. */
    public long count() {
        return files.count();
    }

    /** What an operator should know of it: that it isn't open, or what was found damaged; empty: nothing. */
    public String notice() {
        String broken = writer.failure();
        String damage = files.damage().text();
        if (broken == null && damage.isEmpty()) {
            return "";
        }
        return broken == null ? "the quarantine: " + damage : "the quarantine " + broken;
    }

    /** Writes what was handed over before, then closes. Blocks. Idempotent. */
    @Override
    public void close() {
        writer.close();
    }
}
