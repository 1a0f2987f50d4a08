package dev.holdfast.journal;

import dev.holdfast.disk.DirectorySync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** The one point through which everything that the log makes durable goes; the seam for tests. */
interface LogDisk {
    /** The disk as it is. */
    LogDisk REAL = new LogDisk() {};

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
