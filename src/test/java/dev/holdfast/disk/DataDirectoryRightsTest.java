package dev.holdfast.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory that is somebody else's. The disk's own say can't be tried as root, who may write everything. */
class DataDirectoryRightsTest {
    @TempDir
    Path directory;

    @Test
    void oneOfSomebodyElsesIsNamedWithItsKeyAndTheUser() {
        assertThatThrownBy(() -> DataDirectoryRights.check(directory, path -> false))
                .hasMessage("journal.directory: found " + directory + ", which the user "
                        + System.getProperty("user.name") + " may not write, expected a directory of this user's");
    }

    /** As in a container that runs under any number: the system has no name for it, and Java says "?". */
    @Test
    void aUserWhoseNameJavaDoesNotKnowIsNamedAsTheSystemDoes() throws IOException {
        String name = System.setProperty("user.name", "?");
        try {
            assertThatThrownBy(() -> DataDirectoryRights.check(directory, path -> false))
                    .hasMessageContaining("which the user " + Files.getOwner(directory) + " may not write");
        } finally {
            System.setProperty("user.name", name);
        }
    }

    @Test
    void whatElseLiesInItMayBeSomebodyElses() throws IOException {
        Files.createDirectory(directory.resolve("lost+found"));

        DataDirectoryRights.check(directory, directory::equals);

        assertThat(directory.resolve("lost+found")).isDirectory();
    }

    @Test
    void oneThatIsMissingIsMade() {
        DataDirectoryRights.check(directory.resolve("a/b"));

        assertThat(directory.resolve("a/b")).isDirectory();
    }
}
