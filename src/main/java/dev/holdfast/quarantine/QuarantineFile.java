package dev.holdfast.quarantine;

import dev.holdfast.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.regex.Pattern;

/**
 * One file of the quarantine: requests in the order of their arrival, appended by one thread, read by any. Named after the lowest
 * identifier that may be in it. All numbers are big-endian.
 *
 * <pre>
 * 0  marker     4 bytes  {@code HFQR}
 * 4  version    4 bytes  {@value #VERSION}
 * 8  records, each a {@link QuarantineRecord}
 * </pre>
 *
 * A record whose content is damaged costs itself; behind a damaged head nothing is found any more. Nothing is ever overwritten in
 * place: what is taken out is left out of a new file that takes this one's name.
 */
final class QuarantineFile {
    static final int VERSION = 1;
    static final int HEADER = 8;

    private static final int MARKER = 0x48465152;
    private static final String SUFFIX = ".requests";
    /** Of no higher number than there can be. */
    private static final Pattern NAME = Pattern.compile("0[0-8][0-9]{18}\\" + SUFFIX);
    /** Behind the name of a file that is being written anew. */
    private static final String FRESH = ".new";

    private final Path path;
    private final long firstId;
    /** Up to here there are whole records. */
    private volatile long length = HEADER;

    private volatile long count;
    private long lastId;
    private long oldest = Long.MAX_VALUE;
    private long newest;
    private long damaged;

    private QuarantineFile(Path path, long firstId) {
        this.path = path;
        this.firstId = firstId;
        this.lastId = firstId - 1;
    }

    /** A new one, of which nothing is on disk yet. */
    static QuarantineFile empty(Path directory, long firstId) {
        // Not as the machine's locale writes numbers: with other digits it would not be found again.
        String name = String.format(Locale.ROOT, "%020d", firstId) + SUFFIX;
        return new QuarantineFile(directory.resolve(name), firstId);
    }

    /** Writes the header, in the place of one that is there. */
    static FileChannel begin(Path path) throws IOException {
        FileChannel channel = OwnerOnly.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        try {
            write(channel, header());
            return channel;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private static ByteBuffer header() {
        return ByteBuffer.allocate(HEADER).putInt(MARKER).putInt(VERSION).flip();
    }

    static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Whether a path has the name of one. */
    static boolean isOne(Path path) {
        return NAME.matcher(path.getFileName().toString()).matches() && !OwnerOnly.isPipe(path);
    }

    /** What was being written anew when the process ended: all of it is in the file that it was to take the place of. */
    static boolean isUnfinished(Path path) {
        return path.toString().endsWith(SUFFIX + FRESH);
    }

    /** One that is there: reads the heads of its records. */
    static QuarantineFile open(Path path) throws IOException {
        QuarantineFile file = new QuarantineFile(path, firstId(path));
        long size = Files.size(path);
        try (QuarantineScanner records = new QuarantineScanner(path, size)) {
            file.readHeads(records, size);
        }
        file.damaged = size - file.length;
        file.newest = Math.max(
                file.newest, file.count == 0 ? Files.getLastModifiedTime(path).toMillis() : 0);
        return file;
    }

    /** What the name of one says. */
    static long firstId(Path path) {
        String name = String.valueOf(path.getFileName());
        return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
    }

    private void readHeads(QuarantineScanner records, long size) throws IOException {
        byte[] header = records.content();
        if (header.length < HEADER) {
            // The power failed when it was begun: nothing was in it.
            length = size;
            return;
        }
        if (!ByteBuffer.wrap(header).equals(header())) {
            length = 0;
            return;
        }
        QuarantineRecord head = records.next();
        while (head != null && head.id() > lastId && length + head.size() <= size) {
            added(head.id(), head.receivedAt(), head.size());
            head = records.next();
        }
    }

    /** So long a record is at its end now. */
    void added(long id, long receivedAt, int bytes) {
        lastId = id;
        oldest = Math.min(oldest, receivedAt);
        newest = Math.max(newest, receivedAt);
        long counted = count + 1;
        long end = length + bytes;
        count = counted;
        length = end;
    }

    /** Those that are here now: one that is added meanwhile is not looked at. Any thread. */
    QuarantineScanner records() throws IOException {
        return new QuarantineScanner(path, length);
    }

    /** Whether one of {@code ids} may be here, without a look at the disk. */
    boolean mayHold(NavigableSet<Long> ids) {
        Long lowest = ids.ceiling(firstId);
        return lowest != null && lowest <= lastId;
    }

    /** How many of {@code ids} are here. */
    long countOf(NavigableSet<Long> ids) throws IOException {
        long found = 0;
        try (QuarantineScanner records = records()) {
            for (QuarantineRecord head = records.next(); head != null; head = records.next()) {
                found += ids.contains(head.id()) ? 1 : 0;
            }
        }
        return found;
    }

    /** Writes the file anew without some requests, synced; those who read it now go on in the old one. Not one that is appended to. */
    QuarantineFile without(NavigableSet<Long> ids) throws IOException {
        Path fresh = path.resolveSibling(path.getFileName() + FRESH);
        try {
            copyWithout(ids, fresh);
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            // What a failed one leaves nobody would count, or ever delete.
            Files.deleteIfExists(fresh);
        }
        return open(path);
    }

    private void copyWithout(NavigableSet<Long> ids, Path fresh) throws IOException {
        try (FileChannel target = begin(fresh);
                QuarantineScanner records = records()) {
            for (QuarantineRecord head = records.next(); head != null; head = records.next()) {
                if (!ids.contains(head.id())) {
                    write(target, records.whole());
                }
            }
            target.force(true);
        }
    }

    void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    long firstId() {
        return firstId;
    }

    long lastId() {
        return lastId;
    }

    /** Bytes on disk, damaged ones included. */
    long size() {
        return length + damaged;
    }

    /** Bytes behind the last whole record when it was opened. */
    long damaged() {
        return damaged;
    }

    long count() {
        return count;
    }

    /** When the first one came in; {@link Long#MAX_VALUE} when there is none. */
    long oldest() {
        return oldest;
    }

    /** When the last one came in. */
    long newest() {
        return newest;
    }

    Path path() {
        return path;
    }
}
