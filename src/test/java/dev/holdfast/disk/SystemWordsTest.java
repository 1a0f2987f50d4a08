package dev.holdfast.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.JavaProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class SystemWordsTest {
    private static final Path GERMAN = Path.of("/usr/share/locale/de/LC_MESSAGES/libc.mo");

    @TempDir
    private Path empty;

    @Test
    void whatADiskFailsWithIsUnderstoodInTheLanguageOfTheLocale() throws Exception {
        assumeTrue(Files.exists(GERMAN), () -> "found no " + GERMAN + ", expected the system's German words");
        ProcessBuilder builder = JavaProcess.of(Failures.class, empty.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("LANGUAGE", "de");
        Process german = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();

        assertThat(new String(german.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .hasLineCount(3)
                .doesNotContain("false");
    }

    /** Meets a disk that is full, one that can't be read, and a store without its files. */
    static final class Failures {
        private Failures() {}

        public static void main(String[] arguments) {
            try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
                full.write(ByteBuffer.allocate(1));
            } catch (IOException e) {
                tell(SystemWords.NO_ROOM, e);
            }
            try (FileChannel unreadable = FileChannel.open(Path.of("/proc/self/mem"))) {
                unreadable.read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                tell(SystemWords.UNREADABLE, e);
            }
            try {
                RocksDB.openReadOnly(arguments[0]).close();
            } catch (RocksDBException e) {
                tell(SystemWords.MISSING, e);
            }
        }

        private static void tell(SystemWords words, Exception failure) {
            System.out.println(words.areIn(failure.getMessage()) + " " + failure.getMessage());
        }
    }
}
