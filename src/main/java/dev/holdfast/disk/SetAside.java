package dev.holdfast.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Disk space that is taken while there is enough, to be had when there is none: a file that nobody reads. Its bytes are written
 * and synced, so that the space is really its own; random within a chunk, so that no file system stores them in less. Blocks. By one thread,
 * but for {@link #size}.
 */
public final class SetAside {
    private static final int CHUNK_BYTES = 1 << 20;

    private final Path file;
    private final long bytes;

    /** @param bytes of the file when it is whole; 0: there is to be none */
    public SetAside(Path file, long bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Bytes that are set aside. Any thread. */
    public long size() {
        return file.toFile().length();
    }

    /** Bytes that are to be set aside and aren't; less than zero when it is too many. */
    public long missing() {
        return bytes - size();
    }

    /**
     * Makes it that large, or a part of what is missing. Each chunk is synced by itself: nobody else's sync waits for more of it.
     *
     * @param most bytes that are written now
     * @throws IOException when the disk doesn't take them; what there was stays
     */
    public void make(long most) throws IOException {
        if (missing() < 0) {
            release();
        }
        if (missing() <= 0) {
            return;
        }
        try (FileChannel channel = OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            byte[] chunk = new byte[CHUNK_BYTES];
            ThreadLocalRandom.current().nextBytes(chunk);
            long at = channel.size();
            long end = Math.min(bytes, at + most);
            while (at < end) {
                ByteBuffer left = ByteBuffer.wrap(chunk, 0, (int) Math.min(CHUNK_BYTES, end - at));
                while (left.hasRemaining()) {
                    at += channel.write(left, at);
                }
                channel.force(true);
            }
        }
    }

    /** Gives it up; how many bytes that brings. */
    public long release() throws IOException {
        long size = size();
        Files.deleteIfExists(file);
        return size;
    }
}
