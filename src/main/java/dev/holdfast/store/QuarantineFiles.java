package dev.holdfast.store;

import dev.holdfast.config.QuarantineConfig;
import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.OwnerOnly;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quarantine's files in one directory, and their bounds: a file is a small part of what may be kept, and the oldest file goes as a
 * whole. One thread, the quarantine's, changes them; {@link #all} is for any. Knows what of them was found damaged.
 */
final class QuarantineFiles {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineFiles.class);
    /** Into how many files what is kept is split: what goes with the oldest one is so much more than has to. */
    private static final int PARTS = 64;

    private final Path directory;
    private final QuarantineConfig config;
    private final int maxCount;
    private final QuarantineMeters meters;
    private final InstantSource clock;
    private final NavigableMap<Long, QuarantineFile> files = new ConcurrentSkipListMap<>();
    private @Nullable QuarantineFile active;
    private long nextId = 1;
    /** Identifiers of requests whose bytes are wrong, each told once. */
    private final Set<Long> broken = ConcurrentHashMap.newKeySet();

    private volatile String damage = "";

    QuarantineFiles(
            Path directory, QuarantineConfig config, int maxCount, QuarantineMeters meters, InstantSource clock) {
        this.directory = directory;
        this.config = config;
        this.maxCount = maxCount;
        this.meters = meters;
        this.clock = clock;
    }

    /** Finds what is there, and begins a new file. */
    void open() throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            Path aside = directory.resolveSibling(directory.getFileName() + ".damaged-" + clock.millis());
            Files.move(directory, aside);
            LOG.error("{} is no directory: it is set aside as {}, and the quarantine made anew", directory, aside);
        }
        OwnerOnly.ownDirectories(directory);
        deleteFresh();
        long damaged = 0;
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*" + QuarantineFile.SUFFIX)) {
            for (Path path : found) {
                if (String.valueOf(path.getFileName()).matches("\\d{20}\\" + QuarantineFile.SUFFIX)) {
                    QuarantineFile file = QuarantineFile.open(path);
                    files.put(file.firstId(), file);
                    // Whatever was in what can't be read had identifiers too.
                    nextId = Math.max(nextId, file.lastId() + 1 + file.damaged() / QuarantineFile.HEADER);
                    damaged += file.damaged() > 0 ? 1 : 0;
                }
            }
        }
        files.values().stream().filter(file -> file.damaged() > 0).forEach(this::report);
        begin();
        damage = damaged == 0
                ? ""
                : damaged + " of its files " + (damaged == 1 ? "was" : "were")
                        + " damaged, and what is whole there is kept";
    }

    /** What was being written anew when the process ended: all of it is in the file that it was to take the place of. */
    private void deleteFresh() throws IOException {
        String pattern = "*" + QuarantineFile.SUFFIX + QuarantineFile.FRESH;
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, pattern)) {
            for (Path path : found) {
                Files.delete(path);
            }
        }
    }

    private void report(QuarantineFile file) {
        meters.damaged.increment();
        LOG.error(
                "{} is damaged: found {} bytes that are no request behind the first {}, which are kept",
                file.path(),
                file.damaged(),
                file.count());
    }

    /** The bytes of a request were found to be wrong. Any thread. */
    void damaged(QuarantineFile file, long id) {
        if (!broken.add(id)) {
            return;
        }
        meters.damaged.increment();
        if (damage.isEmpty()) {
            damage = "some of its requests are damaged, and passed over";
            LOG.error("{} is damaged at request {}, which is passed over as are others like it", file.path(), id);
        }
    }

    /** What was found damaged, in words; empty: nothing. Any thread. */
    String damage() {
        return damage;
    }

    /** No identifier is given twice, even when all are gone: the newest file's name tells which one is next. */
    private QuarantineFile begin() throws IOException {
        QuarantineFile fresh = QuarantineFile.create(directory, nextId);
        QuarantineFile before = files.put(nextId, fresh);
        active = fresh;
        if (before != null) {
            before.seal(false);
        }
        for (QuarantineFile file : Map.copyOf(files).values()) {
            if (file != fresh && file.count() == 0 && file.damaged() == 0) {
                drop(file);
            }
        }
        return fresh;
    }

    /** Appends one, and makes room for it first. */
    void append(QuarantinedRequest request) throws IOException {
        QuarantinedRequest placed = request.at(nextId);
        ByteBuffer record = QuarantineRecord.of(placed);
        QuarantineFile file = forMore(record.remaining());
        makeRoom(record.remaining());
        try {
            file.append(placed, record);
        } catch (IOException e) {
            endActive(false);
            throw e;
        }
        nextId++;
    }

    private QuarantineFile forMore(int bytes) throws IOException {
        QuarantineFile file = active;
        if (file == null) {
            return begin();
        }
        boolean full = file.size() + bytes > config.maxSize() / PARTS || file.count() >= Math.max(1, maxCount / PARTS);
        boolean old = clock.millis() - file.oldest() > config.maxAge().toMillis() / PARTS;
        if (file.count() > 0 && (full || (old && file.oldest() != Long.MAX_VALUE))) {
            endActive(false);
            return begin();
        }
        return file;
    }

    /** Nothing more is added to it, whatever comes of this: where no other can be begun, the next request tries again. */
    private void endActive(boolean sync) throws IOException {
        QuarantineFile last = active;
        active = null;
        if (last != null) {
            last.seal(sync);
        }
    }

    private void makeRoom(int bytes) throws IOException {
        while (size() + bytes > config.maxSize() && evictOldest(meters.oversized)) {
            // One file at a time.
        }
        while (count() >= maxCount && evictOldest(meters.overnumbered)) {
            // One file at a time.
        }
    }

    private boolean evictOldest(Counter cause) throws IOException {
        QuarantineFile oldest = files.firstEntry().getValue();
        if (oldest == active) {
            return false;
        }
        cause.increment((double) oldest.count());
        drop(oldest);
        return true;
    }

    private void drop(QuarantineFile file) throws IOException {
        files.remove(file.firstId(), file);
        file.delete();
    }

    /** Deletes the files in which everything is too old. */
    void expire() throws IOException {
        long cutoff = cutoff();
        QuarantineFile last = active;
        if (last != null && last.count() > 0 && last.newest() < cutoff) {
            endActive(false);
            begin();
        }
        // Not the newest one: while none can be begun, it alone tells which identifier is next.
        for (QuarantineFile file : List.copyOf(files.headMap(files.lastKey()).values())) {
            if (file.newest() < cutoff) {
                meters.aged.increment((double) file.count());
                drop(file);
            }
        }
    }

    /** What came in before is too old. Any thread. */
    long cutoff() {
        return clock.millis() - config.maxAge().toMillis();
    }

    /** Takes some out, synced; how many of them there were. */
    long remove(Collection<Long> ids) throws IOException {
        QuarantineFile last = active;
        if (last == null || last.countOf(ids) > 0) {
            endActive(true);
            begin();
        }
        long removed = 0;
        for (QuarantineFile file : List.copyOf(files.values())) {
            long here = file == active ? 0 : file.countOf(ids);
            if (here > 0) {
                removed += here;
                QuarantineFile rest = file.without(ids);
                if (rest == null) {
                    files.remove(file.firstId(), file);
                } else {
                    files.put(rest.firstId(), rest);
                }
            }
        }
        if (removed > 0) {
            DirectorySync.sync(directory);
            meters.removed.increment((double) removed);
        }
        return removed;
    }

    /** By their lowest identifiers; weakly consistent. Any thread. */
    NavigableMap<Long, QuarantineFile> all() {
        return files;
    }

    /** Any thread. */
    long count() {
        return files.values().stream().mapToLong(QuarantineFile::count).sum();
    }

    /** Bytes on disk. Any thread. */
    long size() {
        return files.values().stream().mapToLong(QuarantineFile::size).sum();
    }

    void close() throws IOException {
        endActive(true);
    }
}
