package dev.holdfast;

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
    void oneOfSomebodyElsesIsNamedWithItsKeyAndTheUser() throws IOException {
        Path inside = Files.createDirectory(directory.resolve("store"));

        assertThatThrownBy(() -> new DataDirectoryRights(path -> !path.equals(inside), "gate").check(directory))
                .hasMessage("journal.directory: found " + inside
                        + ", which the user gate may not write, expected a directory of this user's");
        assertThatThrownBy(() -> new DataDirectoryRights(path -> false, "gate").check(directory))
                .hasMessageStartingWith("journal.directory: found " + directory + ", which");
    }

    @Test
    void oneThatIsMissingIsMade() {
        DataDirectoryRights.ofProcess().check(directory.resolve("a/b"));

        assertThat(directory.resolve("a/b")).isDirectory();
    }
}
