package dev.holdfast.consumer.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a full disk a half compressed file must not keep the room that it took. */
class CompressionTest {
    @TempDir
    Path directory;

    @Test
    void whatCouldNotBeCompressedLeavesNoPartOfItself() throws Exception {
        FileNames names = new FileNames("archive", directory);
        Path plain = Files.write(directory.resolve("archive-20261120T060000.000Z.ndjson"), "{}\n".getBytes(UTF_8));
        Files.createDirectories(FileNames.beside(plain, FileNames.COMPRESSED).resolve("in-the-way"));
        Compression compression = new Compression("archive", names);

        compression.add(plain);
        compression.close();

        try (Stream<Path> files = Files.list(directory)) {
            List<String> left = files.map(file -> file.getFileName().toString()).toList();
            assertThat(left).noneMatch(name -> name.endsWith(FileNames.PARTLY));
        }
    }
}
