package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.jar.JarFile;
import org.rocksdb.util.Environment;

/**
 * What more than halves the CPU of a start: the jar's classes as the JVM has them in memory, RocksDB's native code where Java looks
 * for it before it is unpacked, no second verification and no second compiler. Made beside the jar by whoever needs it first.
 */
final class StartAids {
    private static final String NATIVE_CODE = Environment.getJniLibraryFileName("rocksdb");

    private StartAids() {}

    /** Options of Java's; makes what they name if there is none of this jar. A JVM that does not fit does without. */
    static List<String> of(Path jar) {
        Path classes = jar.resolveSibling("holdfast.jsa");
        Path nativeCode = jar.resolveSibling("native");
        Path lock = jar.resolveSibling("holdfast.jsa.lock");
        try (FileChannel held = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Until it is closed: several processes test at a time.
            held.lock();
            if (!Files.exists(classes)
                    || Files.getLastModifiedTime(classes).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                unpack(jar, nativeCode);
                archive(jar, classes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of(
                "-XX:SharedArchiveFile=" + classes,
                "-Djava.library.path=" + nativeCode,
                // What the archive has is verified; of the rest most is picocli's, of a form that no archive has.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                // None lives long enough to win back what the better compiler takes from the machine, nor what
                // the other takes for what runs 200 times.
                "-XX:TieredStopAtLevel=1",
                "-XX:CompileThresholdScaling=3");
    }

    private static void unpack(Path jar, Path directory) throws IOException {
        Files.createDirectories(directory);
        try (JarFile packed = new JarFile(jar.toFile());
                InputStream in = packed.getInputStream(packed.getEntry(NATIVE_CODE))) {
            Files.copy(in, directory.resolve(NATIVE_CODE), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Of the classes that a demo uses, which ends before its first push that has to be tried again. */
    private static void archive(Path jar, Path archive) throws IOException {
        Path whole = archive.resolveSibling("holdfast.jsa.new");
        Process demo = new ProcessBuilder(
                        Installation.java(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:ArchiveClassesAtExit=" + whole,
                        "-jar",
                        jar.toString(),
                        "demo",
                        "--count=6",
                        "--rate=20")
                .redirectErrorStream(true)
                .start();
        String said = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(demo.onExit().join().exitValue()).as(said).isZero();
        Files.move(whole, archive, StandardCopyOption.ATOMIC_MOVE);
    }
}
