package dev.holdfast.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A witness outside RocksDB: how many writes were made durable. When recovery comes back with fewer, its log was damaged, and
 * what was written last is undone.
 *
 * <pre>
 * 0  writes    8 bytes
 * 8  checksum  4 bytes  CRC32C of the first eight
 * </pre>
 *
 * Written after each synced write, and never synced itself: after a power cut it may be older than the truth or torn, and then
 * says less, but it never claims more than was durable. Never fails: what it speaks of is durable already. By the writer thread.
 */
final class LastWrite implements AutoCloseable {
    static final String NAME = "last-write";

    private static final Logger LOG = LoggerFactory.getLogger(LastWrite.class);
    private static final int LENGTH = Long.BYTES + Integer.BYTES;

    private final Path path;
    private final ByteBuffer mark = ByteBuffer.allocateDirect(LENGTH);
    private @Nullable FileChannel file;

    LastWrite(Path directory) {
        path = directory.resolve(NAME);
    }

    /** How many writes were made durable as far as known; 0 when nothing is. */
    long read() {
        try {
            mark.clear();
            boolean whole = opened().read(mark, 0) == LENGTH;
            return whole && mark.getInt(Long.BYTES) == checksum() ? mark.getLong(0) : 0;
        } catch (IOException e) {
            LOG.warn("can't read the file {}: {}", NAME, e.toString());
            return 0;
        }
    }

    void write(long writes) {
        try {
            mark.clear().putLong(0, writes).putInt(Long.BYTES, checksum());
            opened().write(mark, 0);
        } catch (IOException e) {
            LOG.debug("can't write the file {}: {}", NAME, e.toString());
        }
    }

    private FileChannel opened() throws IOException {
        FileChannel open = file;
        if (open == null) {
            open = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            file = open;
        }
        return open;
    }

    private int checksum() {
        CRC32C crc = new CRC32C();
        crc.update(mark.duplicate().position(0).limit(Long.BYTES));
        return (int) crc.getValue();
    }

    /** The file may be another one afterwards. */
    @Override
    public void close() {
        FileChannel open = file;
        file = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            LOG.warn("can't close the file {}: {}", NAME, e.toString());
        }
    }
}
