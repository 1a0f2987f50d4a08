package dev.holdfast.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LogLines;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyTest {
    @TempDir
    Path temporary;

    private Path there;

    private interface Step {
        void run() throws IOException;
    }

    @BeforeEach
    void makeOne() throws IOException {
        there = Files.createDirectory(temporary.resolve("there"));
    }

    /** What was synced meanwhile, in order. */
    private List<Path> synced(Step step) throws IOException {
        Path file = temporary.resolve("syncs.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            step.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .map(event -> Path.of(event.getString("path")))
                .filter(path -> path.startsWith(there))
                .toList();
    }

    @Test
    void whatIsMadeIsThereAfterAPowerCutWithAllItsParents() throws IOException {
        assertThat(synced(() -> OwnerOnly.makeDirectories(there.resolve("a/b/c"))))
                .containsExactly(there, there.resolve("a"), there.resolve("a/b"));
        assertThat(synced(() -> OwnerOnly.ownDirectory(there.resolve("d")))).containsExactly(there);
        assertThat(there.resolve("a/b/c")).isDirectory();
        assertThat(there.resolve("d")).isDirectory();
    }

    @Test
    void whatIsThereIsNotSyncedAgain() throws IOException {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), there);

        assertThat(synced(() -> OwnerOnly.makeDirectories(there))).isEmpty();
        assertThat(synced(() -> OwnerOnly.makeDirectories(link))).isEmpty();
    }

    @Test
    void aFileInItsPlaceIsNamed() throws IOException {
        Path file = Files.createFile(there.resolve("file"));

        assertThatThrownBy(() -> OwnerOnly.makeDirectories(file)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> OwnerOnly.makeDirectories(file.resolve("a")))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(file.resolve("a").toString());
    }

    /** As on a disk that is mounted with one mode for all of its files. */
    @Test
    void whatItsOwnerMayDoMoreWithAFileIsOpenToNobodyElse() throws IOException {
        Path file = Files.createFile(there.resolve("file"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));

        try (LogLines log = LogLines.atInfo()) {
            OwnerOnly.open(file, StandardOpenOption.WRITE).close();

            assertThat(log.lines()).isEmpty();
        }
    }
}
