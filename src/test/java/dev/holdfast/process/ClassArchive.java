package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The jar's classes as the JVM has them in memory, which halves the CPU of a start and changes nothing else. It is made
 * beside the jar, of what a demo uses, by whoever needs it first; a JVM that it does not fit does without.
 */
final class ClassArchive {
    private ClassArchive() {}

    /** Makes it if there is none of this jar. */
    static Path of(Path jar) {
        Path archive = jar.resolveSibling("holdfast.jsa");
        Path lock = jar.resolveSibling("holdfast.jsa.lock");
        try (FileChannel held = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Until it is closed: several processes test at a time.
            held.lock();
            if (!Files.exists(archive)
                    || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                make(jar, archive);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return archive;
    }

    private static void make(Path jar, Path archive) throws IOException {
        Path whole = archive.resolveSibling("holdfast.jsa.new");
        Process demo = new ProcessBuilder(
                        Installation.java(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:ArchiveClassesAtExit=" + whole,
                        "-jar",
                        jar.toString(),
                        "demo",
                        "--count=20",
                        "--rate=20")
                .redirectErrorStream(true)
                .start();
        String said = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(demo.onExit().join().exitValue()).as(said).isZero();
        Files.move(whole, archive, StandardCopyOption.ATOMIC_MOVE);
    }
}
