package dev.holdfast.journal;

import dev.holdfast.disk.OwnerOnly;
import dev.holdfast.disk.PlacedFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a log, held by this process alone as long as it is open: which files there are, and what they are called.
 * Only the owner may read them. Files with other names are nobody's business here. Any thread.
 */
final class LogDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogDirectory.class);
    /** A higher number is no position: there is no such segment. */
    private static final Pattern SEGMENT = Pattern.compile("(0[0-8][0-9]{18})\\.segment");

    private static final String LOCK = "lock";
    private static final String UNFINISHED = ".new";

    /** Those of this process: its locks don't keep out itself, and closing one lock file would let go of all. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Path held;
    private final LogDisk disk;
    private final boolean readOnly;
    private final SegmentMarks marks;
    private final @Nullable FileChannel lockFile;
    private final @Nullable PlacedFile lockPlace;

    private LogDirectory(Path path, Path held, LogDisk disk, boolean readOnly, @Nullable FileChannel lockFile)
            throws IOException {
        this.path = path;
        this.held = held;
        this.disk = disk;
        this.readOnly = readOnly;
        this.marks = new SegmentMarks(readOnly);
        this.lockFile = lockFile;
        this.lockPlace = lockFile == null ? null : PlacedFile.at(path.resolve(LOCK));
    }

    /**
     * Takes hold of the directory, which is made when it is not there.
     *
     * @throws JournalException when it can't be made, another process holds it, or an older version wrote it
     */
    static LogDirectory open(Path path, LogDisk disk) {
        try {
            OwnerOnly.ownDirectories(path);
            return hold(path, disk, false);
        } catch (IOException e) {
            throw new JournalException("can't open the journal in " + path + ": " + e, e);
        }
    }

    /**
     * Takes hold of the directory of a stopped gateway, or of a copy of one, to read in it: nothing of it is changed, and as
     * long as it is open no gateway starts on it.
     *
     * @throws JournalException when it is no journal's, a gateway holds it, or an older version wrote it
     */
    static LogDirectory openReadOnly(Path path, LogDisk disk) {
        if (!Files.isDirectory(path)) {
            throw new JournalException("found no directory " + path + " (expected: that of a journal)");
        }
        try {
            LogDirectory directory = hold(path, disk, true);
            if (directory.lockFile == null && directory.segments().isEmpty()) {
                directory.close();
                throw new JournalException(
                        "found neither segments nor a lock in " + path + " (expected: a journal's directory)");
            }
            return directory;
        } catch (IOException e) {
            throw new JournalException("can't open the journal in " + path + ": " + e, e);
        }
    }

    private static LogDirectory hold(Path path, LogDisk disk, boolean readOnly) throws IOException {
        refuseRocksDb(path);
        Path held = path.toRealPath();
        if (!HELD.add(held)) {
            throw inUse(path);
        }
        try {
            return new LogDirectory(path, held, disk, readOnly, lock(path, readOnly));
        } catch (IOException | RuntimeException e) {
            HELD.remove(held);
            throw e;
        }
    }

    /** Null where there is nothing to lock: a copy that is only read needs no such file. */
    private static @Nullable FileChannel lock(Path path, boolean readOnly) throws IOException {
        Path file = path.resolve(LOCK);
        if (readOnly && !Files.exists(file)) {
            return null;
        }
        FileChannel lockFile = readOnly
                ? FileChannel.open(file, StandardOpenOption.READ)
                : OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (lockFile.tryLock(0, Long.MAX_VALUE, readOnly) == null) {
            lockFile.close();
            throw inUse(path);
        }
        return lockFile;
    }

    private static JournalException inUse(Path path) {
        return new JournalException("the journal in " + path + " is in use by another process, a gateway or a command");
    }

    private static void refuseRocksDb(Path path) throws IOException {
        try (DirectoryStream<Path> manifests = Files.newDirectoryStream(path, "MANIFEST-*")) {
            if (Files.exists(path.resolve("CURRENT")) || manifests.iterator().hasNext()) {
                throw new JournalException(
                        "the journal in " + path + " was written by an older version of Holdfast: found"
                                + " files of RocksDB (expected: segments, or nothing). Let that version deliver what it holds, then give"
                                + " this one another directory, or move the files away");
            }
        }
    }

    Path path() {
        return path;
    }

    /**
     * Before something is made in it.
     *
     * @throws IOException when the directory under its name isn't the one any more that this process holds
     */
    void mustBeInPlace() throws IOException {
        if (lockPlace != null) {
            lockPlace.mustBeInPlace();
        }
    }

    /** Whether it still lies under its name; a copy that is only read does. */
    boolean isInPlace() {
        return lockPlace == null || lockPlace.isInPlace();
    }

    /** Whether nothing of it may be changed. */
    boolean isReadOnly() {
        return readOnly;
    }

    /** The segments by the position they are named after. What an interrupted beginning of one left behind goes. */
    NavigableMap<Long, Path> segments() throws IOException {
        NavigableMap<Long, Path> segments = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, "*.segment*")) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                Matcher segment = SEGMENT.matcher(name);
                if (segment.matches() && !OwnerOnly.isPipe(file)) {
                    segments.put(Long.parseLong(segment.group(1)), file);
                } else if (name.endsWith(UNFINISHED) && !readOnly) {
                    Files.deleteIfExists(file);
                }
            }
        }
        return segments;
    }

    Path segment(long firstSeq) {
        return path.resolve(String.format(Locale.ROOT, "%020d.segment", firstSeq));
    }

    /** What a segment is called while it is not certain to be there after a power cut. */
    Path unfinished(long firstSeq) {
        Path segment = segment(firstSeq);
        return segment.resolveSibling(segment.getFileName() + UNFINISHED);
    }

    /** Gives a synced file the name of a segment, for good: it takes the place of another one of that name. */
    void publish(Path unfinished, Path segment) throws IOException {
        Files.move(unfinished, segment, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        disk.syncDirectory(path);
    }

    /** What lies beside the segments. */
    SegmentMarks marks() {
        return marks;
    }

    LogDisk disk() {
        return disk;
    }

    void delete(Path segment) throws IOException {
        Files.deleteIfExists(segment);
        marks.unmarkGuessed(segment);
    }

    /** Lets go of it. */
    @Override
    public void close() {
        try {
            if (lockFile != null) {
                lockFile.close();
            }
        } catch (IOException e) {
            LOG.warn("can't let go of the lock of {}: {}", path, e.toString());
        } finally {
            HELD.remove(held);
        }
    }
}
