package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that keeps no permissions and doesn't say so, as exFAT, NTFS and network file systems are often mounted. */
final class PermissionsIT {
    @TempDir
    Path directory;

    @Test
    void whatStaysOpenToOthersIsNamed() throws Exception {
        assumeTrue(Strace.obstacle().isEmpty(), Strace.obstacle());
        try (Installation installation = new Installation(directory.resolve("installation"))) {
            installation.configure("");
            for (String made : List.of("data", "data/quarantine")) {
                Path open = Files.createDirectory(installation.path(made));
                Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
            }
            List<String> strace = Strace.inject(directory.resolve("trace"), "chmod", List.of(), "retval=0");

            Child gateway = installation.startUnder(strace, "run");
            gateway.awaitReady();

            assertThat(gateway.output())
                    .containsOnlyOnce("data is open to others (rwxrwxrwx) and can't be closed to them")
                    .containsOnlyOnce("quarantine is open to others (rwxrwxrwx) and can't be closed to them")
                    .doesNotContain("its owner's alone");
        }
    }
}
