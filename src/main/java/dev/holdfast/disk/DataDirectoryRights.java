package dev.holdfast.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * Whether the data directory is one that this process may write. What else keeps it from being used, such as a disk that is full or
 * read-only at the moment, is not looked at here: it may pass, and is waited for.
 */
public final class DataDirectoryRights {
    private DataDirectoryRights() {}

    /**
     * Makes it where it is missing, and looks at it. What lies in it may be the system's, as {@code lost+found} on a disk of its
     * own. Blocks.
     *
     * @throws IllegalStateException when there is one that the user may not use
     */
    public static void check(Path directory) {
        check(directory, DataDirectoryRights::isUsable);
    }

    /** @param usable whether this process may read and write a directory; root may all of them: the seam for tests */
    static void check(Path directory, Predicate<Path> usable) {
        try {
            OwnerOnly.makeDirectories(directory);
            if (!usable.test(directory)) {
                throw refused(directory);
            }
        } catch (AccessDeniedException e) {
            throw refused(Path.of(e.getFile()));
        } catch (IOException e) {
            // Whoever opens it says so, and tries again.
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
        return new IllegalStateException("journal.directory: found " + directory + ", which the user "
                + System.getProperty("user.name", "this one") + " may not write, expected a directory of this user's");
    }
}
