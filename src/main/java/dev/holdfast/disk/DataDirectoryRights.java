package dev.holdfast.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * Checks that this process may write the data directory. Other obstacles, such as a disk that is full or read-only, are
 * not checked here: the code that opens it waits for room, and reports the rest.
 */
public final class DataDirectoryRights {
    private DataDirectoryRights() {}

    /**
     * Makes the directory if it is missing, and checks it. What it contains may be the system's, such as {@code
     * lost+found} on a disk of its own. Blocks.
     *
     * @throws IllegalStateException when this user may not make it, or not use it
     */
    public static void check(Path directory) {
        check(directory, DataDirectoryRights::isUsable);
    }

    /** @param usable whether this process may read and write a directory; the seam for tests, since root may use all */
    static void check(Path directory, Predicate<Path> usable) {
        try {
            OwnerOnly.makeDirectories(directory);
            if (!usable.test(directory)) {
                throw refused(directory);
            }
        } catch (AccessDeniedException e) {
            throw refused(Path.of(e.getFile()));
        } catch (IOException e) {
            // The code that opens it says what is wrong with it.
            return;
        }
    }

    private static boolean isUsable(Path directory) {
        try {
            return (Files.isReadable(directory) && Files.isWritable(directory) && Files.isExecutable(directory))
                    || Files.getFileStore(directory).isReadOnly();
        } catch (IOException e) {
            return true;
        }
    }

    private static IllegalStateException refused(Path directory) {
        return new IllegalStateException("journal.directory: found " + directory + ", which the user " + user()
                + " may not write, expected a directory of this user's");
    }

    /** By name, or by number where the system has no name: there Java has a question mark. */
    private static String user() {
        try {
            return Files.getOwner(Path.of("/proc/self")).getName();
        } catch (IOException e) {
            return System.getProperty("user.name", "this one");
        }
    }
}
