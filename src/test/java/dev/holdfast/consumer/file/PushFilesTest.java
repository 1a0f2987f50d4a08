package dev.holdfast.consumer.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that end by size and age, and what crashes and failing disks leave of them. */
class PushFilesTest {
    private static final String YOUNGEST = "archive-20261120T060000.000Z.ndjson";

    @TempDir
    Path directory;

    private Instant now = Instant.parse("2026-11-20T06:00:00Z");

    private PushFiles open(boolean gzip) throws IOException {
        FileOptions options = new FileOptions(directory, 100, Duration.ofHours(1), gzip, false);
        return PushFiles.open("archive", options, () -> now);
    }

    private static byte[] line(String text) {
        return (text + "\n").getBytes(UTF_8);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private String content(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }

    private String uncompressed(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(directory.resolve(name)))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"torn", "\0\0\0\0", "\0\0\n{}\n", "{\"a\":\0\0}\n{\"b\":1}\n"})
    void whatACrashLeftBehindTheLastWholeLineIsCutOff(String torn) throws IOException {
        Files.writeString(directory.resolve(YOUNGEST), "{\"seq\":1}\n{\"seq\":2}\n" + torn);

        try (PushFiles files = open(true)) {
            files.append(line("{\"seq\":3}"));
            files.sync();
        }

        assertThat(content(YOUNGEST)).isEqualTo("{\"seq\":1}\n{\"seq\":2}\n{\"seq\":3}\n");
    }

    @Test
    void aFileEndsBeforeItGrowsPastItsSizeAndIsCompressed() throws IOException {
        String some = "x".repeat(60);
        try (PushFiles files = open(true)) {
            files.append(line(some));
            files.append(line(some));
            files.sync();
        }

        assertThat(names()).containsExactly(YOUNGEST + ".gz", "archive-20261120T060000.001Z.ndjson");
        assertThat(uncompressed(YOUNGEST + ".gz")).isEqualTo(some + "\n");
        assertThat(content("archive-20261120T060000.001Z.ndjson")).isEqualTo(some + "\n");
    }

    @Test
    void aFileEndsWithItsAgeEvenWhenNothingComes() throws IOException {
        try (PushFiles files = open(false)) {
            files.append(line("one"));
            now = now.plus(Duration.ofMinutes(61));
            files.endOfAge();
            files.append(line("two"));
            files.sync();
        }

        assertThat(names()).containsExactly(YOUNGEST, "archive-20261120T070100.000Z.ndjson");
    }

    @Test
    void theAgeGoesOnOverARestart() throws IOException {
        try (PushFiles files = open(false)) {
            files.append(line("one"));
            files.sync();
        }
        now = now.plus(Duration.ofMinutes(61));
        try (PushFiles files = open(false)) {
            files.append(line("two"));
            files.sync();
        }

        assertThat(content(YOUNGEST)).isEqualTo("one\n");
        assertThat(names()).hasSize(2);
    }

    /** As after a start with a clock that was wrong by years. */
    @Test
    void aFileThatWasBegunInTheFutureEndsWithItsAge() throws IOException {
        try (PushFiles files = open(false)) {
            files.append(line("one"));
            now = now.minus(Duration.ofDays(1000));
            files.endOfAge();
            now = now.plus(Duration.ofMinutes(61));
            files.endOfAge();
            files.append(line("two"));
            files.sync();
        }

        assertThat(content(YOUNGEST)).isEqualTo("one\n");
        assertThat(names()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"20261399T996199.000Z", "20260001T000000.000Z", "20260100T240000.000Z"})
    void aFileWhoseNameOnlyLooksLikeATimeIsNoneOfThem(String noTime) throws IOException {
        Files.writeString(directory.resolve("archive-" + noTime + ".ndjson"), "mine");
        Files.writeString(directory.resolve("archive-20260230T235959.999Z.ndjson"), "{}\n");

        try (PushFiles files = open(true)) {
            files.append(line("{\"seq\":1}"));
            files.sync();
        }

        assertThat(content("archive-" + noTime + ".ndjson")).isEqualTo("mine");
    }

    @Test
    void namesSortAsTheFilesWereBegunThoughTheClockIsSetBack() throws IOException {
        try (PushFiles files = open(false)) {
            files.append(line("x".repeat(90)));
            now = now.minus(Duration.ofDays(1));
            files.append(line("y".repeat(90)));
            files.sync();
        }

        assertThat(names()).containsExactly(YOUNGEST, "archive-20261120T060000.001Z.ndjson");
    }

    @Test
    void aLargeLineGoesPastTheBuffer() throws IOException {
        try (PushFiles files = open(false)) {
            files.append(line("small"));
            files.append(line("x".repeat(1_000_000)));
            files.append(line("y".repeat(1_000_000)));
            files.sync();
        }

        assertThat(names().stream()
                        .mapToLong(name -> directory.resolve(name).toFile().length()))
                .containsExactly(6L, 1_000_001L, 1_000_001L);
    }

    @Test
    void aCrashDuringCompressionIsMadeGood() throws IOException {
        String half = "archive-20261119T060000.000Z.ndjson";
        String whole = "archive-20261118T060000.000Z.ndjson";
        Files.writeString(directory.resolve(half), "one\n");
        Files.writeString(directory.resolve(half + ".gz.part"), "rubbish");
        Files.writeString(directory.resolve(whole), "done\n");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(directory.resolve(whole + ".gz")))) {
            out.write(line("done"));
        }
        Files.writeString(directory.resolve(YOUNGEST), "two\n");
        Files.writeString(directory.resolve("other-20261119T060000.000Z.ndjson"), "another consumer's\n");

        open(true).close();

        assertThat(names()).containsExactly(whole + ".gz", half + ".gz", YOUNGEST, "other-20261119T060000.000Z.ndjson");
        assertThat(uncompressed(half + ".gz")).isEqualTo("one\n");
    }

    @Test
    void afterAFailureNothingIsTakenUntilTheNextSyncHasToldEveryone() throws IOException {
        Path full = directory.resolve(YOUNGEST);
        Files.createSymbolicLink(full, Path.of("/dev/full"));
        try (PushFiles files = open(false)) {
            files.append(line("one lane's"));
            // Too large for the file, so it has to be synced and ended now.
            assertThatThrownBy(() -> files.append(line("x".repeat(200)))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.append(line("another lane's"))).hasMessageStartingWith("not synced");
            assertThatThrownBy(files::sync).hasMessageStartingWith("not synced");
            Files.delete(full);
            Files.createFile(full);

            files.append(line("again"));
            files.sync();
        }

        assertThat(content(YOUNGEST)).isEqualTo("again\n");
    }

    /** Of such a failure the message is nothing but the name. */
    @Test
    void whoeverWaitsForTheSyncIsToldThatTheDirectoryIsGone() throws IOException {
        try (PushFiles files = open(false)) {
            Files.delete(directory);
            assertThatThrownBy(() -> files.append(line("one"))).isInstanceOf(NoSuchFileException.class);

            assertThatThrownBy(files::sync).hasMessage("not synced: NoSuchFileException: " + directory);
        }
    }

    @Test
    void aFileThatIsDeletedCostsThePushesSinceTheLastSyncAnotherAttemptAndNoneIsLost() throws IOException {
        try (PushFiles files = open(false)) {
            files.append(line("one"));
            files.sync();
            Files.delete(directory.resolve(YOUNGEST));
            files.append(line("two"));

            assertThatThrownBy(files::sync).hasMessageContaining(YOUNGEST);
            now = now.plusSeconds(1);
            files.append(line("two"));
            files.sync();
        }

        assertThat(names()).hasSize(1);
        assertThat(content(names().get(0))).isEqualTo("two\n");
    }

    @Test
    void aFileThatIsRenamedOrCutShortIsNotWrittenToAnyMore() throws IOException {
        try (PushFiles files = open(false)) {
            files.append(line("one"));
            files.sync();
            Files.move(directory.resolve(YOUNGEST), directory.resolve("mine"));
            files.append(line("two"));
            assertThatThrownBy(files::sync).isInstanceOf(IOException.class);
            files.append(line("two"));
            files.sync();
            Files.write(directory.resolve(YOUNGEST), new byte[0]);
            files.append(line("three"));
            assertThatThrownBy(files::sync).isInstanceOf(IOException.class);
            files.append(line("three"));
            files.sync();
        }

        assertThat(content("mine")).startsWith("one\n");
        assertThat(content("archive-20261120T060000.001Z.ndjson")).isEqualTo("three\n");
    }

    @Test
    void aFileWhosePlaceALargerOneHasTakenIsNotWrittenToAnyMore() throws IOException {
        try (PushFiles files = open(false)) {
            files.append(line("one"));
            files.sync();
            Files.move(directory.resolve(YOUNGEST), directory.resolve("mine"));
            Files.writeString(directory.resolve(YOUNGEST), "x".repeat(50) + "\n");
            files.append(line("two"));

            assertThatThrownBy(files::sync).isInstanceOf(IOException.class);
            files.append(line("two"));
            files.sync();
        }

        assertThat(content("archive-20261120T060000.001Z.ndjson")).isEqualTo("two\n");
    }

    @Test
    void aFileThatIsDeletedAfterAFailureIsNotWaitedFor() throws IOException {
        Path full = directory.resolve(YOUNGEST);
        Files.createSymbolicLink(full, Path.of("/dev/full"));
        try (PushFiles files = open(false)) {
            files.append(line("one"));
            assertThatThrownBy(files::sync).isInstanceOf(IOException.class);
            Files.delete(full);
            assertThatThrownBy(() -> files.append(line("one"))).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(files::sync).hasMessageStartingWith("not synced");

            files.append(line("one"));
            files.sync();
        }

        assertThat(names()).hasSize(1);
        assertThat(content(names().get(0))).isEqualTo("one\n");
    }

    @Test
    void whoHasEndedDoesNotTouchWhatAnotherHasWrittenSince() throws IOException {
        PushFiles ended = open(false);
        ended.append(line("one"));
        ended.sync();
        ended.append(line("never synced"));
        ended.close();
        try (PushFiles files = open(false)) {
            files.append(line("two"));
            files.sync();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> ended.append(line("late"))).isInstanceOf(IOException.class);
                assertThatThrownBy(ended::sync).isInstanceOf(IOException.class);
            }
        }

        assertThat(content(YOUNGEST)).isEqualTo("one\ntwo\n");
    }

    @Test
    void anotherWriterAtTheSameFileIsNoticedAtTheNextSync() throws IOException {
        Files.writeString(directory.resolve(YOUNGEST), "");
        try (PushFiles one = open(false);
                PushFiles other = open(false)) {
            one.append(line("one"));
            one.sync();
            other.append(line("other"));

            assertThatThrownBy(other::sync).hasMessageContaining("somebody else");
            other.append(line("other"));
            other.sync();
        }

        assertThat(content(YOUNGEST)).startsWith("one\n");
        assertThat(content("archive-20261120T060000.001Z.ndjson")).isEqualTo("other\n");
    }
}
