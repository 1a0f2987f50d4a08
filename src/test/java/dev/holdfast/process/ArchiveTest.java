package dev.holdfast.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checker that can't fail proves nothing: each kind of damage is put before it here. */
final class ArchiveTest {
    @TempDir
    Path directory;

    private Archive archive;

    @BeforeEach
    void writeTwoFiles() throws IOException {
        archive = new Archive(directory);
        compress("archive-1.ndjson.gz", line(1) + line(2));
        Files.writeString(directory.resolve("archive-2.ndjson"), line(3));
    }

    private static String body(long seq) {
        return "{\"event\":\"client.created\",\"client\":{\"invented\":{\"subject\":" + seq + "}}}";
    }

    private static String line(long seq) {
        return "{\"seq\":" + seq + ",\"event\":\"client.created\",\"body\":" + body(seq) + "}\n";
    }

    private void compress(String name, String text) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(directory.resolve(name)))) {
            out.write(text.getBytes(UTF_8));
        }
    }

    @Test
    void linesOfPlainAndCompressedFilesAreReadInOrderWithTheExactBytesOfTheirBodies() throws IOException {
        assertThat(archive.complaints()).isEmpty();
        assertThat(archive.pushes())
                .extracting(ArchivedPush::digest)
                .containsExactly(
                        BodyDigest.of(body(1).getBytes(UTF_8)),
                        BodyDigest.of(body(2).getBytes(UTF_8)),
                        BodyDigest.of(body(3).getBytes(UTF_8)));
        assertThat(archive.pushes()).extracting(ArchivedPush::lane).containsExactly("client 1", "client 2", "client 3");
    }

    @Test
    void whatStoodThereAtTheEndOfALifeIsThatLifes() throws IOException {
        archive.endOfLife();
        Files.writeString(directory.resolve("archive-3.ndjson"), line(4));

        assertThat(archive.pushes()).extracting(ArchivedPush::life).containsExactly("1", "1", "1", "2");
    }

    @Test
    void aFileThatIsThereTwiceCountsOnceAndAHalfCompressedOneNotAtAll() throws IOException {
        Files.writeString(directory.resolve("archive-1.ndjson"), line(1) + line(2));
        Files.writeString(directory.resolve("archive-2.ndjson.gz.part"), "half");

        assertThat(archive.pushes()).extracting(ArchivedPush::seq).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aTornEndIsCaught() throws IOException {
        compress("archive-1.ndjson.gz", line(1) + line(2).substring(0, 20));

        assertThat(archive.complaints()).containsExactly("torn: the end of archive-1.ndjson.gz");
    }

    @Test
    void aTornLineInTheMiddleIsCaught() throws IOException {
        Files.writeString(directory.resolve("archive-2.ndjson"), line(3).substring(0, 20) + line(4));

        assertThat(archive.complaints()).singleElement().asString().startsWith("no whole JSON: {\"seq\":3,");
    }

    @Test
    void twoLinesInOneAreCaught() throws IOException {
        Files.writeString(directory.resolve("archive-2.ndjson"), line(3).strip() + line(4));

        assertThat(archive.complaints()).singleElement().asString().startsWith("no whole JSON");
    }
}
