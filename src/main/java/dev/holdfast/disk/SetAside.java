package dev.holdfast.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Disk space that is taken while there is enough, to be given up when there is none: a file that nobody reads. Its
 * bytes are written and synced, so that the space really is taken, and random within a chunk, so that no file system
 * stores them in less. Blocks. Used by one thread, except for {@link #size}.
 */
public final class SetAside {
    private static final int CHUNK_BYTES = 1 << 20;

    private final Path file;
    private final long bytes;

    /** @param bytes of the whole file; 0 if there should be none */
    public SetAside(Path file, long bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Bytes that are set aside. Any thread. */
    public long size() {
        return file.toFile().length();
    }

    /** Bytes that should be set aside and aren't; negative if there are too many. */
    public long missing() {
        return bytes - size();
    }

    /**
     * Makes the file as large as it should be, or a part of what is missing. Each chunk is synced by itself, so that
     * nobody else's sync waits for more than one.
     *
     * @param most bytes to write now
     * @throws IOException when the disk doesn't take them; what was there before stays
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

    /** Gives the space up, and returns how many bytes that freed. */
    public long release() throws IOException {
        long size = size();
        Files.deleteIfExists(file);
        return size;
    }
}
