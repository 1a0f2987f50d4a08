package dev.holdfast.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that was made, renamed or deleted is so after a power cut only when its directory was synced since. */
public final class DirectorySync {
    private DirectorySync() {}

    /** Makes lasting which files there are. Blocks. */
    public static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
