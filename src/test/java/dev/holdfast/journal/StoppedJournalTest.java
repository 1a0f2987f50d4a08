package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static dev.holdfast.journal.SegmentFiles.begins;
import static dev.holdfast.journal.SegmentFiles.bits;
import static dev.holdfast.journal.SegmentFiles.firstSeq;
import static dev.holdfast.journal.SegmentFiles.flipped;
import static dev.holdfast.journal.SegmentFiles.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal that no gateway uses is looked at: what is in it and what is damaged is found, and nothing of it is changed. */
class StoppedJournalTest {
    private static final byte[] NOTE = "noted".getBytes(StandardCharsets.UTF_8);
    private static final String FIRST = "00000000000000000001.segment";

    @TempDir
    private Path directory;

    /** Each push in a group of its own, in small segments; killed, or stopped. */
    private LogUnderTest written(int pushes, long segmentBytes, boolean stopped) {
        LogUnderTest log = new LogUnderTest(directory.resolve("living")).withSegmentsOf(segmentBytes);
        LogUnderTest killed;
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            journal.note(NOTE);
            for (int i = 0; i < pushes; i++) {
                answers.store(push("push " + i));
            }
            killed = log.copyTo(directory.resolve("killed"));
        }
        return stopped ? log : killed;
    }

    private static Path place(LogUnderTest log) {
        return Objects.requireNonNull(log.segments().get(0).getParent());
    }

    private static Map<String, String> contents(Path directory) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                contents.put(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    private static List<Long> seqs(StoppedJournal journal) {
        List<Long> seqs = new ArrayList<>();
        journal.forEach(1, journal.lastSeq(), push -> seqs.add(push.seq()));
        return seqs;
    }

    private static JournalVerification verify(Path place, long knownSeq) {
        try (StoppedJournal journal = StoppedJournal.open(place)) {
            return journal.verify(knownSeq);
        }
    }

    @Test
    void aKilledLogIsReadToItsLastPushAndIsWhole() throws IOException {
        LogUnderTest log = written(100, 2_000, false);
        Files.writeString(place(log).resolve("00000000000000000101.segment.new"), "begun");
        Map<String, String> before = contents(place(log));

        try (StoppedJournal journal = StoppedJournal.open(place(log))) {
            assertThat(journal.firstSeq()).isEqualTo(1);
            assertThat(journal.lastSeq()).isEqualTo(100);
            assertThat(seqs(journal)).isEqualTo(upTo(100));
            assertThat(journal.lastNote()).hasValue(NOTE);
            assertThat(journal.lost(0, Long.MAX_VALUE)).isZero();

            List<SegmentSummary> segments = journal.segments();
            assertThat(segments).hasSizeGreaterThan(3);
            assertThat(segments.stream().mapToLong(SegmentSummary::pushes).sum())
                    .isEqualTo(100);
            assertThat(segments).allMatch(segment -> segment.damage() == null);
            assertThat(segments.get(0).file()).isEqualTo(FIRST);
            assertThat(segments.get(segments.size() - 1).sealed()).isFalse();
            assertThat(segments.get(segments.size() - 1).lastSeq()).isEqualTo(100);

            JournalVerification found = journal.verify(100);
            assertThat(found.damage()).isEmpty();
            assertThat(found.pushes()).isEqualTo(100);
            assertThat(found.bytes()).isEqualTo(journal.size());
        }
        assertThat(contents(place(log))).isEqualTo(before);
    }

    @Test
    void everyFlippedBitOfASealedSegmentIsFound() throws IOException {
        flipEveryBit(written(4, LogUnderTest.SEGMENT_BYTES, true), Integer.MAX_VALUE);
    }

    @Test
    void everyFlippedBitBeforeTheLastRecordOfAnOpenSegmentIsFound() throws IOException {
        LogUnderTest log = written(4, LogUnderTest.SEGMENT_BYTES, false);
        List<Integer> begins = begins(Files.readAllBytes(log.segments().get(0)));

        // Of the last record alone nothing tells whether it was written whole.
        flipEveryBit(log, begins.get(begins.size() - 1));
    }

    private static void flipEveryBit(LogUnderTest log, int end) throws IOException {
        Path segment = log.segments().get(0);
        byte[] whole = Files.readAllBytes(segment);
        assertThat(verify(place(log), 4).damage()).isEmpty();
        for (int bit : bits(whole)) {
            if (bit / 8 >= end) {
                break;
            }
            Files.write(segment, flipped(whole, bit));
            JournalVerification found = verify(place(log), 4);
            assertThat(found.damage()).as("bit %d", bit).isNotEmpty();
            assertThat(found.pushes() + found.gone()).as("bit %d", bit).isEqualTo(4);
            assertThat(found.damage().get(0).at()).as("bit %d", bit).isLessThanOrEqualTo(bit / 8);
        }
        Files.write(segment, whole);
    }

    @Test
    void aDamagedPushIsNamedWithItsFileAndByteAndTheRestIsRead() throws IOException {
        LogUnderTest log = written(100, 2_000, true);
        Path segment = log.segments().get(1);
        byte[] bytes = Files.readAllBytes(segment);
        int at = begins(bytes).get(3);
        long seq = ByteBuffer.wrap(bytes).getLong(at + SegmentFormat.SEQ_AT);
        bytes[at + 60] ^= 1;
        Files.write(segment, bytes);
        Map<String, String> before = contents(place(log));

        try (StoppedJournal journal = StoppedJournal.open(place(log))) {
            assertThat(journal.verify(0).damage())
                    .containsExactly(new JournalDamage(
                            segment.getFileName().toString(), at, "something else than a whole record", seq, seq));
            List<Long> rest = new ArrayList<>(upTo(100));
            rest.remove(seq);
            assertThat(seqs(journal)).isEqualTo(rest);
            assertThat(journal.lost(seq, seq)).isEqualTo(1);
            assertThat(journal.lost(seq + 1, 100)).isZero();
        }
        assertThat(contents(place(log))).isEqualTo(before);
    }

    /** That one of its length was there is told by its own record alone. */
    @Test
    void theDamagedLastPushOfAKilledLogIsNamed() throws IOException {
        LogUnderTest log = written(4, LogUnderTest.SEGMENT_BYTES, false);
        Path segment = log.segments().get(0);
        byte[] bytes = Files.readAllBytes(segment);
        List<Integer> begins = begins(bytes);
        int at = begins.get(begins.size() - 1);
        bytes[at + 60] ^= 1;
        Files.write(segment, bytes);

        assertThat(verify(place(log), 0).damage())
                .containsExactly(new JournalDamage(FIRST, at, "something else than a whole record", 4, 4));
    }

    @Test
    void aLostFileIsNamedWithItsPositions() throws IOException {
        LogUnderTest log = written(100, 2_000, true);
        List<Path> files = log.segments();
        Files.delete(files.get(1));
        Files.delete(files.get(files.size() - 1));
        long second = firstSeq(files.get(1));
        long last = firstSeq(files.get(files.size() - 1));

        assertThat(verify(place(log), 100).damage())
                .containsExactly(
                        missing(files.get(1), second, firstSeq(files.get(2)) - 1),
                        missing(files.get(files.size() - 1), last, 100));
    }

    @Test
    void aBlockThatCanNotBeReadIsPassedAtOnceAndNamed() {
        LogUnderTest log = written(100, LogUnderTest.SEGMENT_BYTES, true);
        log.disk.breakReads(new BrokenDisk.BadBlocks(5_000, 5_001), Long.MAX_VALUE);

        try (StoppedJournal journal = StoppedJournal.open(place(log), log.disk)) {
            List<Long> found = seqs(journal);
            assertThat(found).hasSizeBetween(50, 80).startsWith(1L).endsWith(100L);
            assertThat(journal.lost(1, 100)).isEqualTo(100 - found.size());
            assertThat(journal.segments().get(0).damage()).contains("bytes that can't be read");

            assertThat(journal.verify(0).damage()).singleElement().satisfies(damage -> {
                assertThat(damage.what()).isEqualTo("bytes that can't be read");
                assertThat(damage.gone()).isEqualTo(100 - found.size());
            });
        }
    }

    private static JournalDamage missing(Path file, long from, long to) {
        return new JournalDamage(file.getFileName().toString(), 0, "no file that holds them", from, to);
    }

    @Test
    void aSegmentThatEndsEarlyIsNamedWithWhatWasBehind() throws IOException {
        LogUnderTest log = written(100, 2_000, true);
        Path segment = log.segments().get(1);
        byte[] bytes = Files.readAllBytes(segment);
        int at = begins(bytes).get(3);
        long seq = ByteBuffer.wrap(bytes).getLong(at + SegmentFormat.SEQ_AT);
        for (int length : List.of(at, at + 5, at + 40)) {
            Files.write(segment, Arrays.copyOf(bytes, length));

            assertThat(verify(place(log), 100).damage())
                    .containsExactly(new JournalDamage(
                            segment.getFileName().toString(),
                            at,
                            "an early end",
                            seq,
                            firstSeq(log.segments().get(2)) - 1));
        }
    }

    @Test
    void whatTheStoreKnowsPastTheEndIsGone() throws IOException {
        LogUnderTest log = written(6, LogUnderTest.SEGMENT_BYTES, true);
        Path segment = log.segments().get(0);
        byte[] bytes = Files.readAllBytes(segment);
        List<Integer> begins = begins(bytes);
        // Note, six pushes, digests, footer.
        Files.write(segment, Arrays.copyOf(bytes, begins.get(5) + 30));

        assertEndIsGone(verify(place(log), 0));
        Files.delete(place(log).resolve(KnownRange.NAME));
        assertThat(verify(place(log), 0).damage()).isEmpty();
        assertEndIsGone(verify(place(log), 6));
    }

    @Test
    void theOldestAndTheNewestSegmentAreKnownToHaveBeenThere() throws IOException {
        LogUnderTest log = written(40, 2_000, true);
        List<Path> segments = log.segments();
        long second = firstSeq(segments.get(1));
        long newest = firstSeq(segments.get(segments.size() - 1));
        Files.delete(segments.get(0));
        Files.delete(segments.get(segments.size() - 1));

        assertThat(verify(place(log), 0).damage())
                .extracting(JournalDamage::firstSeq, JournalDamage::lastSeq)
                .containsExactly(tuple(1L, second - 1), tuple(newest, 40L));
    }

    private static void assertEndIsGone(JournalVerification verification) {
        assertThat(verification.damage())
                .singleElement()
                .satisfies(found -> assertThat(found.firstSeq()).isEqualTo(5))
                .satisfies(found -> assertThat(found.lastSeq()).isEqualTo(6));
    }

    @Test
    void whatAGatewayHoldsIsRefusedAndItCanNotStartMeanwhile() {
        LogUnderTest log = new LogUnderTest(directory.resolve("held"));
        try (LogJournal journal = log.open()) {
            assertThat(journal.writable()).isTrue();
            assertThatThrownBy(() -> StoppedJournal.open(directory.resolve("held")))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("in use by another process, a gateway or a command");
        }
        try (StoppedJournal journal = StoppedJournal.open(directory.resolve("held"))) {
            assertThat(seqs(journal)).isEmpty();
            assertThatThrownBy(log::open).hasMessageContaining("in use by another process, a gateway or a command");
        }
        log.open().close();
    }

    @Test
    void aNewerFormatIsRefused() throws IOException {
        LogUnderTest log = written(4, LogUnderTest.SEGMENT_BYTES, true);
        Path segment = log.segments().get(0);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(segment));
        bytes.putInt(8, 2).putInt(28, SegmentFormat.checksum(bytes, 0, 28));
        Files.write(segment, bytes.array());

        assertThatThrownBy(() -> StoppedJournal.open(place(log)))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("newer version")
                .hasMessageContaining("found format version 2 in " + FIRST + " (expected: at most 1)");
    }

    @Test
    void whatIsNoJournalIsRefusedAndNotMadeOne() throws IOException {
        Path nowhere = directory.resolve("nowhere");
        assertThatThrownBy(() -> StoppedJournal.open(nowhere)).hasMessageContaining("found no directory " + nowhere);
        assertThat(nowhere).doesNotExist();

        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("notes.txt"), "mine");
        assertThatThrownBy(() -> StoppedJournal.open(other))
                .hasMessageContaining("found neither segments nor a lock in " + other);
        assertThat(other).isDirectoryNotContaining(file -> !file.endsWith("notes.txt"));
    }

    @Test
    void aLogOfFormatVersionOneIsReadAsItIs() throws IOException, URISyntaxException {
        Path kept = Path.of(Objects.requireNonNull(getClass().getResource("/journal-format-1"))
                .toURI());
        Map<String, String> before = contents(kept);

        try (StoppedJournal journal = StoppedJournal.open(kept)) {
            assertThat(seqs(journal)).isEqualTo(upTo(7));
            assertThat(journal.lastNote()).hasValue(NOTE);
            assertThat(journal.segments().stream().map(SegmentSummary::sealed)).containsExactly(true, false);
            assertThat(journal.verify(7).damage()).isEmpty();
        }
        assertThat(contents(kept)).isEqualTo(before);
    }
}
