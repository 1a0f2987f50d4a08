package dev.holdfast.store;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Damage in RocksDB's write-ahead logs that its reader goes round in circles on: a record of a type that only recycled
 * logs have, in a log that isn't one (<a href="https://github.com/facebook/rocksdb/issues/13333">rocksdb 13333</a>). One
 * flipped bit makes it out of a sound record, and so does nonsense at a log's end. Holdfast recycles no logs: whatever has
 * such a type is damage, and gets a type that nothing has, so that RocksDB finds it by its checksum and ends there.
 *
 * <p>A log is a row of blocks, a block a row of records, a record its checksum (4 bytes), its length (2), its type (1) and
 * so many bytes; what follows something damaged in its block is not read.
 */
final class LogDamage {
    private static final Logger LOG = LoggerFactory.getLogger(LogDamage.class);
    private static final int BLOCK = 32 * 1024;
    private static final int HEADER = 7;
    private static final int LENGTH = 4;
    private static final int TYPE = 6;
    private static final Set<Integer> RECYCLED = Set.of(5, 6, 7, 8, 11, 131);
    private static final byte NOTHING = 127;

    private LogDamage() {}

    /**
     * Marks what is damaged so in the logs of a directory. Before RocksDB opens it.
     *
     * @throws IOException when a log can't be read, or not be marked
     */
    static void mark(Path directory) throws IOException {
        var unused = find(directory, true);
    }

    /**
     * Whether the logs of a directory are damaged so. Nothing is changed.
     *
     * @throws IOException when a log can't be read
     */
    static boolean isIn(Path directory) throws IOException {
        return find(directory, false);
    }

    private static boolean find(Path directory, boolean mark) throws IOException {
        boolean found = false;
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory, "*.log")) {
            for (Path log : logs) {
                found |= findIn(log, mark);
            }
        }
        return found;
    }

    private static boolean findIn(Path log, boolean mark) throws IOException {
        boolean found = false;
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(log, mark ? Set.of(READ, WRITE) : Set.of(READ))) {
            for (long start = 0; read(channel, block, start); start += BLOCK) {
                int at = firstDamaged(block);
                found |= at >= 0;
                if (at >= 0 && mark) {
                    LOG.warn(
                            "{} is damaged: found a record of type {} at byte {}, which only recycled logs have",
                            log.getFileName(),
                            block.get(at + TYPE) & 0xff,
                            start + at);
                    channel.write(ByteBuffer.wrap(new byte[] {NOTHING}), start + at + TYPE);
                    channel.force(true);
                }
            }
        }
        return found;
    }

    private static boolean read(FileChannel channel, ByteBuffer block, long start) throws IOException {
        block.clear();
        while (block.hasRemaining() && channel.read(block, start + block.position()) > 0) {
            // A read may bring less than there is.
        }
        return block.flip().hasRemaining();
    }

    private static int firstDamaged(ByteBuffer block) {
        int at = 0;
        while (at + HEADER <= block.limit()) {
            if (RECYCLED.contains(block.get(at + TYPE) & 0xff)) {
                return at;
            }
            at += HEADER + (block.getShort(at + LENGTH) & 0xffff);
        }
        return -1;
    }
}
