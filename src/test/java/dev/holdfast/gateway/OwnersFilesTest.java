package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nobody but their owner can read the gateway's files, however open the process makes files by default. */
@Timeout(60)
class OwnersFilesTest {
    @TempDir
    Path directory;

    private GatewayUnderTest start() {
        return GatewayUnderTest.start(
                new GatewaySettings()
                        .shipped(
                                "archive",
                                "file",
                                "directory: " + directory.resolve("archive") + ", rotate-size: 1KiB"),
                directory);
    }

    private static String permissions(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<Path> archived(String ending) {
        Path archive = directory.resolve("archive");
        try (Stream<Path> files = Files.list(archive)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void journalAndArchiveAreTheirOwnersAlone() {
        try (GatewayUnderTest gateway = start()) {
            for (int i = 0; i < 8; i++) {
                assertThat(gateway.push(envelope("client.created", i)).status()).isEqualTo(200);
            }
            eventually(() -> assertThat(archived(".gz")).isNotEmpty());
        }
        // Only now no file becomes a compressed one.
        assertThat(permissions(directory.resolve("data"))).isEqualTo("rwx------");
        assertThat(permissions(directory.resolve("archive"))).isEqualTo("rwx------");
        assertThat(archived(".ndjson")).isNotEmpty();
        assertThat(archived(""))
                .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
    }

    /** Whose archive it is, its directory and what lies in it already, is the operator's business. */
    @Test
    void aDataDirectoryThatWasLeftOpenIsClosedToOthers() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Path archive = Files.createDirectory(directory.resolve("archive"));
        Files.setPosixFilePermissions(data, fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(archive, fromString("rwxr-x---"));

        try (GatewayUnderTest gateway = start()) {
            assertThat(permissions(data)).isEqualTo("rwx------");
            assertThat(permissions(archive)).isEqualTo("rwxr-x---");
            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
        }
    }
}
