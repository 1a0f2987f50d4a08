package dev.holdfast.consumer.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A plain file goes for its whole compressed one alone, and on a full disk no half of one keeps the room that it took. */
class CompressionTest {
    private static final String LINES = "{\"seq\":1}\n{\"seq\":2}\n".repeat(10_000);

    @TempDir
    Path directory;

    private Path ended;
    private Path youngest;

    @BeforeEach
    void write() throws IOException {
        ended = Files.writeString(directory.resolve("archive-20261119T060000.000Z.ndjson"), LINES);
        youngest = Files.writeString(directory.resolve("archive-20261120T060000.000Z.ndjson"), LINES);
    }

    private PushFiles open(boolean gzip) throws IOException {
        FileOptions options = new FileOptions(directory, 1_000_000, Duration.ofDays(30), gzip, false);
        return PushFiles.open("archive", options, () -> Instant.parse("2026-11-20T07:00:00Z"));
    }

    private static byte[] compressed(String lines) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(lines.getBytes(UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    private static Path beside(Path plain) {
        return FileNames.beside(plain, FileNames.COMPRESSED);
    }

    static Stream<byte[]> whatIsNotTheSame() {
        byte[] whole = compressed(LINES);
        return Stream.of(
                compressed(LINES.substring(11)),
                compressed(LINES.substring(0, LINES.length() - 11)),
                compressed(LINES + "{}\n"),
                Arrays.copyOf(whole, whole.length - 4),
                Arrays.copyOf(whole, 40),
                LINES.getBytes(UTF_8),
                new byte[0]);
    }

    @ParameterizedTest
    @MethodSource("whatIsNotTheSame")
    void aFileStaysWhoseCompressedOneIsNotTheSame(byte[] other) throws IOException {
        Files.write(beside(ended), other);
        Files.write(beside(youngest), other);

        try (LogLines log = LogLines.atWarn()) {
            open(true).close();
            assertThat(log.text()).contains(ended + " stays").contains(youngest + " stays");
        }

        assertThat(ended).hasContent(LINES);
        assertThat(youngest).hasContent(LINES);
        assertThat(beside(ended)).hasBinaryContent(other);
        assertThat(beside(youngest)).hasBinaryContent(other);
    }

    @Test
    void aFileGoesWhoseCompressedOneIsTheSame() throws IOException {
        Files.write(beside(ended), compressed(LINES));
        Files.write(beside(youngest), compressed(LINES));

        open(true).close();

        assertThat(directory).isDirectoryNotContaining(file -> file.equals(ended) || file.equals(youngest));
    }

    @Test
    void withoutCompressionNoFileGoes() throws IOException {
        Files.write(beside(ended), compressed(LINES));
        Files.write(beside(youngest), compressed(LINES));

        open(false).close();

        assertThat(ended).hasContent(LINES);
        assertThat(youngest).hasContent(LINES);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileThatWasCompressedIsNotWrittenToAnyMore(boolean gzip) throws IOException {
        Files.write(beside(youngest), compressed("{}\n"));

        try (PushFiles files = open(gzip)) {
            files.append("{}\n".getBytes(UTF_8));
            files.sync();
        }

        assertThat(youngest).hasContent(LINES);
        assertThat(directory.resolve("archive-20261120T070000.000Z.ndjson")).hasContent("{}\n");
    }

    @Test
    void aCopyThatWasMadeWhileLinesWereWrittenIsNotWrittenOver() throws IOException {
        byte[] copy = compressed(LINES);
        try (PushFiles files = open(true)) {
            Files.write(beside(youngest), copy);
            files.append("{\"seq\":3}\n".getBytes(UTF_8));
            files.append("x".repeat(1_000_000).getBytes(UTF_8));
            files.sync();
        }

        assertThat(youngest).hasContent(LINES + "{\"seq\":3}\n");
        assertThat(beside(youngest)).hasBinaryContent(copy);
    }

    @Test
    void aFileThatStayedIsNotWrittenToBehindYoungerOnes() throws IOException {
        Files.write(beside(ended), compressed("{}\n"));
        Files.delete(youngest);
        Files.write(beside(youngest), compressed(LINES));

        try (PushFiles files = open(true)) {
            files.append("{}\n".getBytes(UTF_8));
            files.sync();
        }

        assertThat(ended).hasContent(LINES);
        assertThat(directory.resolve("archive-20261120T070000.000Z.ndjson")).hasContent("{}\n");
    }

    @Test
    void whatCouldNotBeCompressedLeavesNoPartOfItself() throws Exception {
        Files.delete(ended);
        Files.createDirectory(ended);
        Compression compression = new Compression("archive", new FileNames("archive", directory));

        compression.add(ended);
        compression.close();

        assertThat(directory).isDirectoryNotContaining("glob:**.part");
    }
}
