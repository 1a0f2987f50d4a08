package dev.holdfast.journal;

import dev.holdfast.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A witness outside the segments: which positions they hold. Without its oldest segment a log looks as after a removal, and
 * without its newest one as if it ended with the one before. The file {@code range}:
 *
 * <pre>
 *  0  magic     4 bytes  "HFR1", the last of them the format's version
 *  4  firstSeq  8 bytes  where the oldest segment begins
 * 12  lastSeq   8 bytes  the newest position that was acknowledged, or given up for lost
 * 20  checksum  4 bytes  CRC32C of all before
 * </pre>
 *
 * Written in place after each group, before anyone hears of that, and synced only before a segment is deleted and at the end: after a
 * power cut it may know of less than there is, never of more. Whatever is wrong with it, it says nothing then, and keeps nothing from being
 * written. Of the writer's thread, but for {@link #sync}.
 */
final class KnownRange {
    static final String NAME = "range";

    private static final Logger LOG = LoggerFactory.getLogger(KnownRange.class);
    private static final int MAGIC = 0x48465231;
    private static final int FIRST = Integer.BYTES;
    private static final int LAST = FIRST + Long.BYTES;
    private static final int CHECKSUM = LAST + Long.BYTES;
    private static final int LENGTH = CHECKSUM + Integer.BYTES;

    /**
     * What it says.
     *
     * @param lastSeq one less than {@code firstSeq}: none
     */
    record Positions(long firstSeq, long lastSeq) {}

    private final Path path;
    private final LogDisk disk;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
    private volatile @Nullable FileChannel file;

    KnownRange(LogDirectory directory) {
        this.path = directory.path().resolve(NAME);
        this.disk = directory.disk();
    }

    /** What was written in a log's directory; null: nothing, or nothing that can be read. */
    static @Nullable Positions read(Path directory) {
        Path path = directory.resolve(NAME);
        if (!Files.exists(path)) {
            return null;
        }
        try {
            ByteBuffer found = ByteBuffer.wrap(OwnerOnly.read(path));
            if (found.remaining() == LENGTH
                    && found.getInt(0) == MAGIC
                    && found.getInt(CHECKSUM) == SegmentFormat.checksum(found, 0, CHECKSUM)) {
                return new Positions(found.getLong(FIRST), found.getLong(LAST));
            }
            LOG.warn("the file {} is ignored: found {} bytes that are not in this version's form", path, found.limit());
        } catch (IOException e) {
            LOG.warn("the file {} can't be read: {}", path, e.toString());
        }
        return null;
    }

    /** Notes what the segments hold. Never fails. */
    void write(long firstSeq, long lastSeq) {
        try {
            bytes.clear().putInt(0, MAGIC).putLong(FIRST, firstSeq).putLong(LAST, lastSeq);
            bytes.putInt(CHECKSUM, SegmentFormat.checksum(bytes, 0, CHECKSUM));
            opened().write(bytes, 0);
        } catch (IOException e) {
            LOG.debug("can't write the file {}: {}", path, e.toString());
            // What it said is no longer true: an empty file needs no space.
            quietly("empty", open -> open.truncate(0));
        }
    }

    private FileChannel opened() throws IOException {
        FileChannel open = file;
        if (open == null) {
            open = OwnerOnly.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                    .truncate(LENGTH);
            file = open;
        }
        return open;
    }

    /** Makes durable what was written. Any thread. Never fails. */
    void sync() {
        quietly("sync", disk::sync);
    }

    /** The last call. */
    void close() {
        quietly("close", FileChannel::close);
        file = null;
    }

    private interface Action {
        void on(FileChannel file) throws IOException;
    }

    private void quietly(String what, Action action) {
        FileChannel open = file;
        try {
            if (open != null) {
                action.on(open);
            }
        } catch (IOException e) {
            LOG.warn(
                    "can't {} the file {}, which may name segments as missing that were removed: {}",
                    what,
                    path,
                    e.toString());
        }
    }
}
