package dev.holdfast.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A witness outside RocksDB: the newest position that was ever acknowledged. When recovery comes back with less, the log
 * was damaged in its midst and pushes are lost that somebody was told are safe.
 *
 * <pre>
 * 0  seq       8 bytes
 * 8  checksum  4 bytes  CRC32C of the first eight
 * </pre>
 *
 * Written after each synced write, and never synced itself: after a power cut it may be older than the truth or torn,
 * and then says less, but it never claims more than was durable. By the writer thread.
 */
final class Watermark implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watermark.class);
    private static final int LENGTH = Long.BYTES + Integer.BYTES;

    private final FileChannel file;
    private final ByteBuffer mark = ByteBuffer.allocateDirect(LENGTH);

    private Watermark(FileChannel file) {
        this.file = file;
    }

    /** @throws JournalException when the file can't be made */
    static Watermark in(Path directory) {
        Path path = directory.resolve("acknowledged");
        try {
            return new Watermark(FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new JournalException("can't open " + path + ": " + e, e);
        }
    }

    /** The newest acknowledged position as far as known; 0 when nothing is. */
    long read() {
        try {
            mark.clear();
            boolean whole = file.read(mark, 0) == LENGTH;
            return whole && mark.getInt(Long.BYTES) == checksum() ? mark.getLong(0) : 0;
        } catch (IOException e) {
            throw new JournalException("can't read the file acknowledged: " + e, e);
        }
    }

    void write(long seq) {
        try {
            mark.clear().putLong(0, seq).putInt(Long.BYTES, checksum());
            file.write(mark, 0);
        } catch (IOException e) {
            throw new JournalException("can't write the file acknowledged: " + e, e);
        }
    }

    private int checksum() {
        CRC32C crc = new CRC32C();
        crc.update(mark.duplicate().position(0).limit(Long.BYTES));
        return (int) crc.getValue();
    }

    /** Never fails: nothing is lost with it, and what is closed along with it must be. */
    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("can't close the file acknowledged: {}", e.toString());
        }
    }
}
