package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The list of what the jar is made of, beside the packaged jar. Maven makes none when it is told to stay offline. */
final class SbomIT {
    private static final Path SBOM = Installation.jar().resolveSibling("holdfast-sbom.json");

    private static List<String> listed() throws IOException {
        assumeTrue(Files.exists(SBOM), "found no " + SBOM.getFileName() + ", expected the one of a build online");
        return new JsonObject(Files.readString(SBOM))
                .getJsonArray("components").stream()
                        .map(component -> (JsonObject) component)
                        .map(component -> component.getString("group") + ":" + component.getString("name") + ":"
                                + component.getString("version"))
                        .toList();
    }

    @Test
    void itNamesEachLibraryThatTheJarSaysItHolds() throws IOException {
        assertThat(listed()).containsAll(held());
    }

    @Test
    void itNamesWhatTheGatewayIsBuiltOnAndNothingOfItsTests() throws IOException {
        assertThat(listed())
                .anyMatch(library -> library.startsWith("io.vertx:vertx-web:"))
                .anyMatch(library -> library.startsWith("io.netty:netty-codec-http:"))
                .anyMatch(library -> library.startsWith("org.rocksdb:rocksdbjni:"))
                .anyMatch(library -> library.startsWith("com.fasterxml.jackson.core:jackson-core:"))
                .anyMatch(library -> library.startsWith("ch.qos.logback:logback-classic:"))
                .noneMatch(library -> library.contains("junit") || library.contains("assertj"));
    }

    /** But for JCTools, which Netty has packed into itself. */
    private static List<String> held() throws IOException {
        List<String> held = new ArrayList<>();
        try (JarFile jar = new JarFile(Installation.jar().toFile())) {
            List<JarEntry> notes = jar.stream()
                    .filter(entry -> entry.getName()
                            .matches("META-INF/maven/(?!dev\\.holdfast/|org\\.jctools/).*/pom\\.properties"))
                    .toList();
            for (JarEntry note : notes) {
                Properties library = new Properties();
                try (InputStream in = jar.getInputStream(note)) {
                    library.load(in);
                }
                held.add(library.getProperty("groupId") + ":" + library.getProperty("artifactId") + ":"
                        + library.getProperty("version"));
            }
        }
        assertThat(held).hasSizeGreaterThan(10);
        return held;
    }
}
