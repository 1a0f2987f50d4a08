package dev.holdfast.journal;

import dev.holdfast.disk.DirectorySync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** The one point through which everything goes that the log makes durable, and that is read of its segments; the seam for tests. */
interface LogDisk {
    /** The disk as it is. */
    LogDisk REAL = new LogDisk() {};

    /** So long what can't be read is tried again, before it counts as lost: a disk that is away comes back. */
    default long patienceNanos() {
        return TimeUnit.MINUTES.toNanos(1);
    }

    /** The same at the opening. Short: no push is received meanwhile. */
    default long openingPatienceNanos() {
        return TimeUnit.SECONDS.toNanos(3);
    }

    /** Opens a segment to read it. */
    default FileChannel openToRead(Path segment) throws IOException {
        return FileChannel.open(segment, StandardOpenOption.READ);
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
