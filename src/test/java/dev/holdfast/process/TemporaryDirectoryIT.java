package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway that has no use of Java's temporary directory receives and delivers nevertheless. */
final class TemporaryDirectoryIT {
    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory.resolve("installation"));
        installation.configure("");
        installation.unpackNativeCode();
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    private Child receives(Path temporary) throws Exception {
        installation.option("-Djava.io.tmpdir=" + temporary);
        Child gateway = installation.running();
        assertThat(client.push(gateway, 100).statusCode()).isEqualTo(200);
        gateway.awaitLog("the temporary directory can't be used");
        try (var left = Files.list(installation.path("data/digests"))) {
            assertThat(left).noneMatch(Files::isDirectory);
        }
        return gateway;
    }

    @Test
    void thatIsNone() throws Exception {
        Child gateway = receives(Files.createFile(directory.resolve("file")));
        gateway.awaitLog("no temporary directory");
    }

    @Test
    void thatADemoCanNotDoWithoutIsNamed() throws Exception {
        Path nowhere = directory.resolve("nowhere");
        installation.option("-Djava.io.tmpdir=" + nowhere);
        Child demo = installation.start("demo");
        assertThat(demo.awaitExit()).isEqualTo(1);
        assertThat(demo.output()).contains("holdfast: NoSuchFileException: " + nowhere);
    }

    /** As hardened hosts mount it, and as others fill it. */
    @ParameterizedTest
    @ValueSource(strings = {"noexec", "size=4m"})
    void thatIsMountedWith(String options) throws Exception {
        Path mount = Files.createDirectory(directory.resolve("mount"));
        try {
            Command.execute("mount", "-t", "tmpfs", "-o", options, "tmpfs", mount.toString());
        } catch (IOException | AssertionError e) {
            assumeTrue(false, "mounting is not permitted or not possible here: " + e.getMessage());
        }
        try {
            receives(mount);
            FileStore store = Files.getFileStore(mount);
            // The C library keeps the first one that it can't run.
            assertThat(store.getTotalSpace() - store.getUnallocatedSpace())
                    .as("bytes taken, of which one library are 16 MiB")
                    .isLessThan(24 << 20);
        } finally {
            installation.close();
            Command.execute("umount", mount.toString());
        }
    }
}
