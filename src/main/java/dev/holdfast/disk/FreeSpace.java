package dev.holdfast.disk;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/** How much is free of the disk that a directory lies on. Asks the disk: blocks. Any thread. */
public final class FreeSpace {
    /** What is known of a disk that doesn't say how much of it is free. */
    public static final long UNKNOWN = -1;

    private final PlacedFile directory;

    private FreeSpace(PlacedFile directory) {
        this.directory = directory;
    }

    /**
     * Around the directory that is there now: how full the disk of another one is that has taken its place says nothing.
     *
     * @throws IOException when there is none
     */
    public static FreeSpace around(Path directory) throws IOException {
        return new FreeSpace(PlacedFile.at(directory));
    }

    /** In bytes; {@link #UNKNOWN} also while the directory is not in its place. */
    public long bytes() {
        return directory.isInPlace() ? bytes(directory.path()) : UNKNOWN;
    }

    /** Whether so many bytes are free: so they are of a disk that doesn't say, and not while the directory is not in its place. */
    public boolean has(long wanted) {
        if (!directory.isInPlace()) {
            return false;
        }
        long free = bytes(directory.path());
        return free == UNKNOWN || free >= wanted;
    }

    /** In bytes, whichever directory is there. */
    public static long bytes(Path directory) {
        File disk = directory.toFile();
        long free = disk.getUsableSpace();
        // A disk that can't be asked shows zeros only.
        return free > 0 || disk.getTotalSpace() > 0 ? free : UNKNOWN;
    }
}
