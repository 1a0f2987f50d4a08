package dev.holdfast.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An open file and its name. What is written to a file whose name is gone, or has become another one's, is gone when it is
 * closed, and no write to it fails: its directory was removed, renamed or mounted over. Any thread; asks the disk.
 *
 * @param key by which the system tells files apart; null where it doesn't
 */
public record PlacedFile(Path path, @Nullable Object key) {
    /** What lies under the name now. */
    public static PlacedFile at(Path path) throws IOException {
        return new PlacedFile(path, keyOf(path));
    }

    private static @Nullable Object keyOf(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Whether its name still leads to it. */
    public boolean isInPlace() {
        try {
            return Objects.equals(keyOf(path), key);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Says so where it isn't.
     *
     * @throws IOException then
     */
    public void mustBeInPlace() throws IOException {
        if (!isInPlace()) {
            throw new IOException(
                    "found no " + path + ", or another file of that name, expected the one that was opened: its"
                            + " directory was removed, renamed or mounted over, and what were written now would be lost");
        }
    }
}
