package dev.holdfast.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The demo's temporary directory, with its configuration in it. */
record DemoDirectory(Path path) {
    static DemoDirectory create() throws IOException {
        Path path = Files.createTempDirectory("holdfast-demo-");
        try (InputStream yaml = DemoDirectory.class.getResourceAsStream("/demo.yaml")) {
            Files.copy(Objects.requireNonNull(yaml, "demo.yaml is missing from the jar"), path.resolve("demo.yaml"));
        }
        return new DemoDirectory(path);
    }

    Path configuration() {
        return path.resolve("demo.yaml");
    }

    void delete() {
        try (Stream<Path> tree = Files.walk(path)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the temporary directory " + path + " could not be deleted", e);
        }
    }
}
