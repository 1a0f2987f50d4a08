package dev.holdfast.journal;

import com.sun.nio.file.ExtendedOpenOption;
import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.SystemWords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The one point through which everything goes that the log makes durable, and that is read of its segments; the seam for tests. */
interface LogDisk {
    /** The disk as it is. */
    LogDisk REAL = new LogDisk() {};

    /** Bytes that a disk gives, or doesn't, as a whole. */
    int BLOCK = 4 << 10;

    /** As the system words ESTALE, ENODEV and ENOTCONN. */
    List<String> AWAY = List.of("Stale file handle", "No such device", "Transport endpoint is not connected");

    /** So long what can't be read is tried again, before it counts as lost: a disk that is away comes back. */
    default long readTimeoutNanos() {
        return TimeUnit.MINUTES.toNanos(1);
    }

    /** The same at the opening. Short: no push is received meanwhile. */
    default long openingTimeoutNanos() {
        return TimeUnit.SECONDS.toNanos(3);
    }

    /** The time by which {@link #readTimeoutNanos} is measured, as {@link System#nanoTime} tells it. */
    default long nanoTime() {
        return System.nanoTime();
    }

    /** Reads some bytes of a segment from a place on; less than 0 behind the end. */
    default int read(FileChannel segment, ByteBuffer target, long from) throws IOException {
        return segment.read(target, from);
    }

    /**
     * Whether the disk itself gives how a file begins: past what the system has in memory of it, where the file system lets that
     * be asked.
     */
    default boolean gives(Path file) {
        try {
            int block = (int) Math.max(BLOCK, Files.getFileStore(file).getBlockSize());
            ByteBuffer first = ByteBuffer.allocateDirect(2 * block).alignedSlice(block);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
                return channel.read(first.limit(block)) > 0;
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            return !SystemWords.UNREADABLE.areIn(message)
                    && AWAY.stream().noneMatch(message::contains)
                    && givesAtAll(file);
        }
    }

    private static boolean givesAtAll(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.read(ByteBuffer.allocate(1)) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes all that remains of {@code bytes} at the channel's position. */
    default void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Makes the file's bytes and its length durable. */
    default void sync(FileChannel channel) throws IOException {
        channel.force(false);
    }

    /** Makes durable which files a directory has. */
    default void syncDirectory(Path directory) throws IOException {
        DirectorySync.sync(directory);
    }
}
