package dev.holdfast.consumer.file;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
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

    /** The file while it is open. */
    private record Open(FileChannel channel, OutputStream lines) {}

    private final Path path;
    private @Nullable Open open;
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
        file.opened();
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
        opened().lines().write(line);
        length += line.length;
    }

    /** Makes durable what was appended. */
    void sync() throws IOException {
        if (length > durable) {
            Open file = opened();
            file.lines().flush();
            file.channel().force(false);
            if (!isThere() || file.channel().size() != length) {
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
        open = null;
        length = durable;
    }

    private Open opened() throws IOException {
        Open file = open;
        if (file == null) {
            // APPEND writes at the file's end, wherever that is: if somebody has cut the file short, its size shows it.
            FileChannel channel = FileChannel.open(path, StandardOpenOption.APPEND);
            file = new Open(channel, new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES));
            open = file;
            identity = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            cut(channel);
        }
        return file;
    }

    private void cut(FileChannel channel) throws IOException {
        if (channel.size() < durable) {
            lost = true;
            throw new IOException(
                    path + " has " + channel.size() + " bytes, expected the " + durable + " that were synced");
        }
        if (channel.size() > durable) {
            LOG.warn("{}: cut off {} bytes at the end that were never acknowledged", path, channel.size() - durable);
            channel.truncate(durable);
            channel.force(true);
        }
    }

    /** Closes the file without a sync. */
    @Override
    public void close() throws IOException {
        if (open != null) {
            open.channel().close();
        }
    }
}
