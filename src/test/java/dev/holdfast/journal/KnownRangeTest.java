package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static dev.holdfast.journal.AppendResults.within;
import static dev.holdfast.journal.SegmentFiles.begins;
import static dev.holdfast.journal.SegmentFiles.firstSeq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments that are gone from either end, which the ones that are left can't tell. */
class KnownRangeTest {
    private static final int PUSHES = 40;

    @TempDir
    private Path directory;

    private LogUnderTest log;

    @BeforeEach
    void write() {
        log = new LogUnderTest(directory.resolve("killed")).withSegmentsOf(2_000);
        LogUnderTest running = new LogUnderTest(directory.resolve("running")).withSegmentsOf(2_000);
        try (LogJournal journal = running.open()) {
            store(journal, PUSHES);
            log = running.copyTo(directory.resolve("killed"));
        }
    }

    private static void store(LogJournal journal, int count) {
        AppendResults answers = new AppendResults(journal);
        for (int i = 0; i < count; i++) {
            answers.store(push("push " + i));
        }
    }

    private Path range() {
        return directory.resolve("killed").resolve(KnownRange.NAME);
    }

    private Path newest() {
        List<Path> segments = log.segments();
        return segments.get(segments.size() - 1);
    }

    private void assertLostAndNeverGivenAgain(long from, long to) {
        try (LogJournal journal = log.open()) {
            assertThat(journal.damage())
                    .endsWith("pushes " + from + " to " + to + " are missing or can't be read")
                    .hasSizeLessThanOrEqualTo(2);
            assertThat(log.corrupt()).isEqualTo((double) (to - from + 1));
            assertThat(new AppendResults(journal).store(push("after")).seq()).isEqualTo(PUSHES + 1);
        }
        // Until retention would have removed them, as for a segment in the middle.
        log.open().close();
        assertThat(log.corrupt()).isEqualTo((double) (to - from + 1));
    }

    @Test
    void nothingIsSaidOfAWholeLog() {
        try (LogJournal journal = log.open()) {
            assertThat(journal.damage()).isEmpty();
            assertThat(log.corrupt()).isZero();
        }
    }

    @Test
    void withoutTheOldestSegmentItsPushesAreSaidToBeGone() throws IOException {
        Files.delete(log.segments().get(0));

        assertLostAndNeverGivenAgain(1, firstSeq(log.segments().get(0)) - 1);
    }

    @Test
    void withoutTheNewestSegmentItsPushesAreSaidToBeGone() throws IOException {
        long from = firstSeq(newest());
        Files.delete(newest());

        assertLostAndNeverGivenAgain(from, PUSHES);
    }

    @Test
    void whereTheNewestSegmentIsCutWhatItHeldIsSaidToBeGone() throws IOException {
        Path newest = newest();
        Files.write(newest, Arrays.copyOf(Files.readAllBytes(newest), 40));

        assertLostAndNeverGivenAgain(firstSeq(newest), PUSHES);
        assertThat(Path.of(newest + ".damaged")).exists();
    }

    @Test
    void withoutAnySegmentAllAreSaidToBeGone() throws IOException {
        for (Path segment : log.segments()) {
            Files.delete(segment);
        }

        assertLostAndNeverGivenAgain(1, PUSHES);
    }

    @Test
    void aPositionOfADamagedPushIsNotGivenAgainThoughOnlyTheSegmentsTellOfIt() throws IOException {
        byte[] bytes = Files.readAllBytes(newest());
        bytes[bytes.length - 1] ^= 1;
        Files.write(newest(), bytes);
        // Twice a power cut takes what was not synced.
        Files.delete(range());
        LogUnderTest twice;
        try (LogJournal journal = log.open()) {
            assertThat(journal.damage()).contains("push " + PUSHES + " is missing or can't be read");
            twice = log.copyTo(directory.resolve("twice"));
        }
        Files.delete(directory.resolve("twice").resolve(KnownRange.NAME));

        try (LogJournal journal = twice.open()) {
            assertThat(new AppendResults(journal).store(push("after")).seq()).isEqualTo(PUSHES + 1);
        }
    }

    /** Removals go on while the disk is full: until the last group is written once more it is in the range alone for sure. */
    @Test
    void aRemovalOnAFullDiskForgetsNothingOfTheLastGroup() throws IOException {
        log.disk.breakWrites(0);
        try (LogJournal journal = log.open()) {
            within(journal.removeBelow(20).toCompletableFuture());
            assertThat(journal.firstSeq()).isGreaterThan(1);
        }
        log.disk.mend();
        byte[] bytes = Files.readAllBytes(newest());
        List<Integer> begins = begins(bytes);
        Files.write(newest(), Arrays.copyOf(bytes, begins.get(begins.size() - 1)));

        try (LogJournal journal = log.open()) {
            assertThat(journal.damage()).contains("push " + PUSHES + " is missing or can't be read");
            assertThat(new AppendResults(journal).store(push("after")).seq()).isEqualTo(PUSHES + 1);
        }
    }

    @Test
    void whatRetentionRemovedIsNotMissed() {
        try (LogJournal journal = log.open()) {
            within(journal.removeBelow(20).toCompletableFuture());
            Eventually.until(() -> firstSeq(log.segments().get(0)) == journal.firstSeq());
        }

        try (LogJournal journal = log.open()) {
            assertThat(journal.firstSeq()).isGreaterThan(1);
            assertThat(journal.damage()).isEmpty();
        }
    }

    @Test
    void whatWouldHaveBeenRemovedIsMissedNoMore() throws IOException {
        Files.delete(log.segments().get(0));
        try (LogJournal journal = log.open()) {
            within(journal.removeBelow(PUSHES).toCompletableFuture());
        }

        try (LogJournal journal = log.open()) {
            assertThat(journal.damage()).isEmpty();
        }
    }

    @Test
    void aDamagedRangeSaysNothingAndIsWrittenAnew() throws IOException {
        byte[] bytes = Files.readAllBytes(range());
        bytes[15] ^= 1;
        Files.write(range(), bytes);
        Files.delete(newest());

        try (LogJournal journal = log.open()) {
            assertThat(journal.damage()).isEmpty();
        }
        assertThat(KnownRange.read(directory.resolve("killed"))).isNotNull();
    }

    @Test
    void whatBecameLongerThanMemoryKeepsNothingFromBeingOpenedAndIsWrittenAnew() throws IOException {
        lengthen(range());
        lengthen(Path.of(log.segments().get(0) + ".guessed"));

        try (LogJournal journal = log.open()) {
            assertThat(journal.damage()).isEmpty();
        }
        assertThat(KnownRange.read(directory.resolve("killed"))).isNotNull();
    }

    private static void lengthen(Path file) throws IOException {
        try (RandomAccessFile lengthened = new RandomAccessFile(file.toFile(), "rw")) {
            lengthened.setLength(3L << 30);
        }
    }
}
