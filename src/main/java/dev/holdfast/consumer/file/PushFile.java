package dev.holdfast.consumer.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that lines are appended to. Only what was there at the last good {@link #sync} is relied on: after a failure
 * nobody knows what the disk has of the rest, so the file is cut there before it is written again. One thread at a
 * time.
 */
final class PushFile implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(PushFile.class);
    private static final int BUFFER_BYTES = 256 * 1024;

    private final Path path;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private @Nullable FileChannel channel;
    /** Distinguishes the open file from another one of its name. */
    private @Nullable Object identity;

    private long durable;
    private long length;
    private boolean lost;

    private PushFile(Path path, long durable) {
        this.path = path;
        this.durable = durable;
        this.length = durable;
    }

    /** Opens a file that exists, and cuts off what a crash left torn at its end. */
    static PushFile open(Path path) throws IOException {
        PushFile file = new PushFile(path, intact(path));
        file.channel();
        return file;
    }

    /**
     * Length of the whole lines. A NUL is in no JSON: it is found where the disk had allocated room and not yet written
     * to it.
     */
    private static long intact(Path path) throws IOException {
        long position = 0;
        long lineEnd = 0;
        try (InputStream in = Files.newInputStream(path)) {
            byte[] some = new byte[BUFFER_BYTES];
            for (int count = in.read(some); count > 0; count = in.read(some)) {
                for (int i = 0; i < count; i++) {
                    position++;
                    if (some[i] == 0) {
                        return lineEnd;
                    }
                    if (some[i] == '\n') {
                        lineEnd = position;
                    }
                }
            }
        }
        return lineEnd;
    }

    Path path() {
        return path;
    }

    /** Length in bytes, with those not synced yet. */
    long length() {
        return length;
    }

    /** Appends a line, which is durable after the next {@link #sync}. */
    void append(byte[] line) throws IOException {
        if (line.length > buffer.remaining()) {
            flush();
        }
        if (line.length > buffer.capacity()) {
            write(ByteBuffer.wrap(line));
        } else {
            buffer.put(line);
        }
        length += line.length;
    }

    /** Makes durable what was appended. */
    void sync() throws IOException {
        flush();
        if (length > durable) {
            channel().force(false);
            if (!isThere() || channel().size() != length) {
                lost = true;
                throw new IOException(path + " was deleted, renamed, cut short or written to by somebody else");
            }
            durable = length;
        }
    }

    /** Whether the file is still under its name. Once it was not, nothing more is written. */
    boolean isThere() throws IOException {
        try {
            BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
            return !lost && Objects.equals(found.fileKey(), identity) && found.size() >= length;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** After a failure: discards everything since the last good {@link #sync}, so that appending may be tried again. */
    void abandon() {
        try {
            close();
        } catch (IOException e) {
            LOG.warn("{} can't be closed: {}", path, e.getMessage());
        }
        channel = null;
        buffer.clear();
        length = durable;
    }

    private void flush() throws IOException {
        buffer.flip();
        write(buffer);
        buffer.clear();
    }

    private void write(ByteBuffer bytes) throws IOException {
        FileChannel out = channel();
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private FileChannel channel() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            // APPEND writes at the file's end, wherever that is: if somebody has cut the file short, its size shows it.
            open = FileChannel.open(path, StandardOpenOption.APPEND);
            channel = open;
            identity = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            cut(open);
        }
        return open;
    }

    private void cut(FileChannel open) throws IOException {
        if (open.size() < durable) {
            lost = true;
            throw new IOException(
                    path + " has " + open.size() + " bytes, expected the " + durable + " that were synced");
        }
        if (open.size() > durable) {
            LOG.warn("{}: cut off {} bytes at the end that were never acknowledged", path, open.size() - durable);
            open.truncate(durable);
            open.force(true);
        }
    }

    /** Closes the file without a sync. */
    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
