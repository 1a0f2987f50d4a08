package dev.holdfast.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A segment's file, open to be read, and what it says at its two ends: its header, and its footer when it is sealed. By one thread. */
final class SegmentFile implements AutoCloseable {
    private final LogDisk disk;
    private final Path path;
    private final FileChannel channel;

    SegmentFile(LogDisk disk, Path path) throws IOException {
        this.disk = disk;
        this.path = path;
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    long size() throws IOException {
        return channel.size();
    }

    /** Reads some bytes from a place on; less than 0 behind the end. */
    int read(ByteBuffer target, long from) throws IOException {
        return disk.read(channel, target, from);
    }

    /** Whether the block that begins there can be read. */
    boolean gives(long block) throws ClosedChannelException {
        try {
            return read(ByteBuffer.allocate(LogDisk.BLOCK), block) > 0;
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * What the file's header says; null when it is none, or damaged.
     *
     * @param passesUnreadable one that can't be read counts as damaged
     * @throws JournalException when a newer version wrote it
     */
    SegmentFormat.@Nullable Header header(boolean passesUnreadable) throws IOException {
        SegmentFormat.Header header = SegmentFormat.header(read(0, SegmentFormat.HEADER_LENGTH, passesUnreadable));
        if (header != null && header.version() > SegmentFormat.VERSION) {
            throw new JournalException("the journal in " + path.getParent() + " was written by a newer version of"
                    + " Holdfast: found format version " + header.version() + " in " + path.getFileName()
                    + " (expected: at most " + SegmentFormat.VERSION + ")");
        }
        return header;
    }

    /** What the file's footer says; null when it has none that a segment with this marker would have. */
    SegmentFormat.@Nullable Footer footer(int marker, boolean passesUnreadable) throws IOException {
        long size = size();
        SegmentFormat.Footer footer = SegmentFormat.footer(
                read(size - SegmentFormat.FOOTER_LENGTH, SegmentFormat.FOOTER_LENGTH, passesUnreadable));
        return footer != null && footer.marker() == marker && footer.endsIn(size) ? footer : null;
    }

    private ByteBuffer read(long from, int bytes, boolean passesUnreadable) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(bytes);
        try {
            while (from >= 0 && found.hasRemaining() && read(found, from + found.position()) > 0) {
                // A read may bring less than there is.
            }
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            if (!passesUnreadable) {
                throw e;
            }
        }
        return found.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
