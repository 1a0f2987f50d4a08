package dev.holdfast.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeSpaceTest {
    @TempDir
    Path directory;

    @Test
    void thereIsAsMuchAsTheDiskSays() throws IOException {
        FreeSpace space = FreeSpace.around(directory);

        assertThat(space.bytes()).isPositive();
        assertThat(space.has(1)).isTrue();
        assertThat(space.has(Long.MAX_VALUE)).isFalse();
    }

    /** The system's own files are on such a one. */
    @Test
    void aDiskThatDoesNotSayIsNotFull() throws IOException {
        FreeSpace space = FreeSpace.around(Path.of("/proc"));

        assertThat(space.bytes()).isEqualTo(FreeSpace.UNKNOWN);
        assertThat(space.has(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void inAnotherDirectorysPlaceThereIsNone() throws IOException {
        Path own = Files.createDirectory(directory.resolve("own"));
        FreeSpace space = FreeSpace.around(own);
        Files.move(own, directory.resolve("moved"));
        Files.createDirectory(own);

        assertThat(space.bytes()).isEqualTo(FreeSpace.UNKNOWN);
        assertThat(space.has(0)).isFalse();
    }
}
