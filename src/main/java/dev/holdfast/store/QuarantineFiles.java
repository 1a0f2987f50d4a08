package dev.holdfast.store;

import dev.holdfast.config.QuarantineConfig;
import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.OwnerOnly;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quarantine's files in one directory, and their bounds: a file is a small part of what may be kept, and the oldest file goes as a
 * whole. One thread, the quarantine's, changes them; {@link #all} is for any.
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
    private final QuarantineDamage damage;

    QuarantineFiles(
            Path directory, QuarantineConfig config, int maxCount, QuarantineMeters meters, InstantSource clock) {
        this.directory = directory;
        this.config = config;
        this.maxCount = maxCount;
        this.meters = meters;
        this.clock = clock;
        damage = new QuarantineDamage(meters);
    }

    /** Finds what is there, and begins a new file. Only then is the disk known to be there, and what it doesn't give set aside. */
    void open() throws IOException {
        endActive();
        files.clear();
        Map<Path, IOException> unreadable = find();
        List<QuarantineFile> damaged =
                files.values().stream().filter(file -> file.damaged() > 0).toList();
        damaged.forEach(damage::end);
        begin();
        unreadable.forEach(this::setAside);
        damage.found(damaged.size(), unreadable.size());
    }

    /** Returns those that can't be read, and why. */
    private Map<Path, IOException> find() throws IOException {
        Map<Path, IOException> unreadable = new TreeMap<>();
        for (Path path : prepare()) {
            // Whatever was in what can't be read had identifiers too.
            try {
                QuarantineFile file = QuarantineFile.open(path);
                files.put(file.firstId(), file);
                nextId = Math.max(nextId, file.lastId() + 1 + file.damaged() / QuarantineFile.HEADER);
            } catch (IOException e) {
                unreadable.put(path, e);
                long most = path.toFile().length() / QuarantineFile.HEADER;
                nextId = Math.max(nextId, QuarantineFile.firstId(path) + 1 + most);
            }
        }
        return unreadable;
    }

    /** Makes the directory when it is not there, and deletes what a crash has left; returns the files. */
    private List<Path> prepare() throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            LOG.error(
                    "{} is no directory: it is set aside as {}, and the quarantine made anew",
                    directory,
                    setAside(directory));
        }
        OwnerOnly.ownDirectories(directory);
        List<Path> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(directory)) {
            all.forEach(found::add);
        }
        for (Path path : found) {
            if (QuarantineFile.isUnfinished(path)) {
                Files.delete(path);
            }
        }
        found.removeIf(path -> !QuarantineFile.isOne(path));
        return found;
    }

    /** Gives something another name, for whoever can salvage some of it. */
    private Path setAside(Path damaged) throws IOException {
        return Files.move(damaged, damaged.resolveSibling(damaged.getFileName() + ".damaged-" + clock.millis()));
    }

    private void setAside(Path path, IOException cause) {
        try {
            damage.unreadable(
                    path, cause, "it is set aside as " + setAside(path).getFileName());
        } catch (IOException e) {
            damage.unreadable(path, cause, "it can't be set aside: " + e);
        }
    }

    /** No identifier is given twice, even when all are gone: the newest file's name tells which one is next. */
    private QuarantineFile begin() throws IOException {
        QuarantineFile fresh = QuarantineFile.create(directory, nextId);
        QuarantineFile before = files.put(nextId, fresh);
        active = fresh;
        if (before != null) {
            before.seal();
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
            endActive();
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
            endActive();
            return begin();
        }
        return file;
    }

    /** Nothing more is added to it, whatever comes of this: where no other can be begun, the next request tries again. */
    private void endActive() throws IOException {
        QuarantineFile last = active;
        active = null;
        if (last != null) {
            last.seal();
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
        files.remove(file.firstId());
        file.delete();
    }

    /** Deletes the files in which everything is too old. */
    void expire() throws IOException {
        long cutoff = cutoff();
        QuarantineFile last = active;
        if (last != null && last.count() > 0 && last.newest() < cutoff) {
            endActive();
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

    /**
     * Takes some out, synced; how many of them there were.
     *
     * @throws IOException when the disk fails with some of them: the others are out all the same
     */
    long remove(NavigableSet<Long> ids) throws IOException {
        QuarantineFile last = active;
        if (last == null || last.mayHold(ids)) {
            endActive();
            begin();
        }
        long removed = 0;
        IOException failure = null;
        for (QuarantineFile file : List.copyOf(files.values())) {
            try {
                removed += file == active ? 0 : removeFrom(file, ids);
            } catch (IOException e) {
                failure = e;
            }
        }
        if (removed > 0) {
            DirectorySync.sync(directory);
            meters.removed.increment((double) removed);
        }
        if (failure != null) {
            throw failure;
        }
        return removed;
    }

    private long removeFrom(QuarantineFile file, NavigableSet<Long> ids) throws IOException {
        long here = file.mayHold(ids) ? file.countOf(ids) : 0;
        if (here > 0 && here >= file.count()) {
            drop(file);
        } else if (here > 0) {
            files.put(file.firstId(), file.without(ids));
        }
        return here;
    }

    /** What of them was found damaged. Any thread. */
    QuarantineDamage damage() {
        return damage;
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

    void close() {
        try {
            endActive();
        } catch (IOException e) {
            LOG.warn("the quarantine is not closed in good order: {}", e.toString());
        }
    }
}
