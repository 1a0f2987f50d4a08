package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that is there and that the system doesn't give. */
public final class BadBlock {
    private BadBlock() {}

    /** Whoever reads the file gets EIO from now on: nothing lies at the lowest addresses of a process. */
    public static void in(Path file) throws IOException {
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("/proc/self/mem"));
        assertThatThrownBy(() -> Files.readAllBytes(file)).hasMessage("Input/output error");
    }
}
