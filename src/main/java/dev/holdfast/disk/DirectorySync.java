package dev.holdfast.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Syncs directories: after a power cut a file is made, renamed or deleted only if its directory was synced since. */
public final class DirectorySync {
    private DirectorySync() {}

    /** Makes durable which files a directory has. Blocks. */
    public static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
