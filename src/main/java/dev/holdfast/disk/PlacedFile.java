package dev.holdfast.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An open file and its name. If the name is gone or belongs to another file (because its directory was removed, renamed
 * or mounted over), no write fails, but everything is gone when the file is closed. Any thread; asks the disk.
 *
 * @param key by which the system identifies files; null if it doesn't
 */
public record PlacedFile(Path path, @Nullable Object key) {
    /** The file that is under this name now. */
    public static PlacedFile at(Path path) throws IOException {
        return new PlacedFile(path, keyOf(path));
    }

    private static @Nullable Object keyOf(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Whether the name still leads to this file. */
    public boolean isInPlace() {
        try {
            return Objects.equals(keyOf(path), key);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Throws if the file is not in its place.
     *
     * @throws IOException if it is not
     */
    public void mustBeInPlace() throws IOException {
        if (!isInPlace()) {
            throw new IOException(
                    "found no " + path + ", or another file of that name, expected the one that was opened: its"
                            + " directory was removed, renamed or mounted over, and what were written now would be lost");
        }
    }
}
