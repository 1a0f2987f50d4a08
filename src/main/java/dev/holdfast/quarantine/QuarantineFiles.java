package dev.holdfast.quarantine;

import dev.holdfast.config.QuarantineConfig;
import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.OwnerOnly;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.NavigableMap;
import java.util.NavigableSet;
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
    private @Nullable QuarantineAppender active;
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

    /** Finds what is there, and begins a new file. */
    void open() throws IOException {
        endActive();
        files.clear();
        OwnerOnly.ownDirectories(directory);
        try (Stream<Path> found = Files.list(directory)) {
            for (Path path : found.toList()) {
                if (QuarantineFile.isUnfinished(path)) {
                    Files.delete(path);
                } else if (QuarantineFile.isOne(path)) {
                    nextId = Math.max(nextId, nextAfter(path));
                }
            }
        }
        begin();
    }

    /** Takes a file up; returns an identifier that is higher than any that may have been given in it. */
    private long nextAfter(Path path) {
        try {
            QuarantineFile file = QuarantineFile.open(path);
            files.put(file.firstId(), file);
            if (file.damaged() > 0) {
                damage.end(file);
            }
            return file.lastId() + 1 + file.damaged() / QuarantineFile.HEADER;
        } catch (IOException e) {
            damage.unreadable(path, e);
            return QuarantineFile.firstId(path) + 1 + path.toFile().length() / QuarantineFile.HEADER;
        }
    }

    /** No identifier is given twice, even when all are gone: the newest file's name tells which one is next. */
    private QuarantineAppender begin() throws IOException {
        OwnerOnly.ownDirectory(directory);
        QuarantineAppender fresh = QuarantineAppender.begin(directory, nextId);
        files.put(nextId, fresh.file());
        active = fresh;
        for (QuarantineFile file : files.values()) {
            if (!isActive(file) && file.count() == 0 && file.damaged() == 0) {
                drop(file);
            }
        }
        return fresh;
    }

    private boolean isActive(QuarantineFile file) {
        return active != null && active.file() == file;
    }

    /** Begins a new file where none could be begun before. */
    void resume() throws IOException {
        if (active == null) {
            begin();
        }
    }

    /** Appends one, and makes room for it first. */
    void append(QuarantinedRequest request) throws IOException {
        QuarantinedRequest placed = request.at(nextId);
        ByteBuffer record = QuarantineRecord.of(placed);
        QuarantineAppender end = forMore(record.remaining());
        makeRoom(record.remaining());
        try {
            end.append(placed, record);
        } catch (IOException e) {
            endActive();
            throw e;
        }
        nextId++;
    }

    private QuarantineAppender forMore(int bytes) throws IOException {
        QuarantineAppender end = active;
        if (end == null) {
            return begin();
        }
        QuarantineFile file = end.file();
        boolean full = file.size() + bytes > config.maxSize() / PARTS || file.count() >= Math.max(1, maxCount / PARTS);
        boolean old = clock.millis() - file.oldest() > config.maxAge().toMillis() / PARTS;
        if (!end.isInPlace() || (file.count() > 0 && (full || old))) {
            endActive();
            return begin();
        }
        return end;
    }

    /** Nothing more is added to it, whatever comes of this: where no other can be begun, the next request tries again. */
    private void endActive() throws IOException {
        QuarantineAppender last = active;
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
        if (isActive(oldest)) {
            return false;
        }
        meters.evicted(cause, oldest.count());
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
        QuarantineAppender last = active;
        if (last != null && last.file().count() > 0 && last.file().newest() < cutoff) {
            endActive();
            begin();
        }
        // Not the newest one: while none can be begun, it alone tells which identifier is next.
        for (QuarantineFile file : files.headMap(files.lastKey()).values()) {
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
        IOException failure = null;
        try {
            if (active == null || active.file().mayHold(ids)) {
                endActive();
                begin();
            }
        } catch (IOException e) {
            failure = e;
        }
        long removed = 0;
        // Not the newest one: while none can be begun, it alone tells which identifier is next.
        for (QuarantineFile file : files.headMap(files.lastKey()).values()) {
            try {
                removed += removeFrom(file, ids);
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
            // First from the disk: what stays there stays to be taken out.
            file.delete();
            files.remove(file.firstId());
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
