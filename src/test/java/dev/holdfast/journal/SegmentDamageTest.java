package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static dev.holdfast.journal.SegmentFiles.begins;
import static dev.holdfast.journal.SegmentFiles.bits;
import static dev.holdfast.journal.SegmentFiles.ends;
import static dev.holdfast.journal.SegmentFiles.firstSeq;
import static dev.holdfast.journal.SegmentFiles.flipped;
import static dev.holdfast.journal.SegmentFiles.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.journal.AppendResults.Stored;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of a log are cut, altered and lost: damage costs what it hit and nothing else, and keeps no log from being opened. */
class SegmentDamageTest {
    private static final byte[] NOTE = "noted".getBytes(StandardCharsets.UTF_8);
    /** A first push, a last one, and one between them, where the bits of them are flipped. */
    private static final int FEW = 3;

    @TempDir
    private Path directory;

    /** Each push in a group of its own; killed, or stopped. */
    private LogUnderTest written(String name, int pushes, boolean stopped) {
        LogUnderTest log = new LogUnderTest(directory.resolve(name + "-living"));
        LogUnderTest left;
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            journal.note(NOTE);
            for (int i = 0; i < pushes; i++) {
                answers.store(push("push " + i));
            }
            left = log.copyTo(directory.resolve(name));
        }
        return stopped ? log : left;
    }

    private static Path only(LogUnderTest log) {
        assertThat(log.segments()).hasSize(1);
        return log.segments().get(0);
    }

    @Test
    void aSegmentCutAtAnyByteOfItsLastThreeRecordsKeepsWhatIsWhole() throws IOException {
        LogUnderTest log = written("cut", 6, false);
        byte[] whole = Files.readAllBytes(only(log));
        List<Integer> ends = ends(whole);
        int records = ends.size();
        for (int length = ends.get(records - 4); length < whole.length; length++) {
            int cutAt = length;
            long kept = 6 - ends.stream().filter(end -> end > cutAt).count();
            LogUnderTest cut = withSegment("damaged", Arrays.copyOf(whole, length));
            try (LogJournal journal = cut.open()) {
                assertThat(LogUnderTest.seqs(journal)).as("cut at %d", length).containsExactlyElementsOf(upTo(kept));
                assertThat(new AppendResults(journal).store(push("after"))).isEqualTo(new Stored(kept + 1, false));
                assertThat(journal.lastNote()).hasValue(NOTE);
                assertThat(journal.damage()).isEmpty();
            }
            empty(cut);
        }
    }

    @Test
    void anyFlippedBitOfAnUnsealedSegmentCostsOnePushAtMost() throws IOException {
        LogUnderTest log = written("flip", FEW, false);
        byte[] whole = Files.readAllBytes(only(log));
        int lastBegins = ends(whole).get(ends(whole).size() - 2);
        for (int bit : bits(whole)) {
            LogUnderTest flipped = withSegment("damaged", flipped(whole, bit));
            try (LogJournal journal = flipped.open()) {
                List<Long> seqs = LogUnderTest.seqs(journal);
                assertThat(seqs).as("bit %d", bit).hasSizeBetween(FEW - 1, FEW).isSubsetOf(upTo(FEW));
                if (bit / 8 < lastBegins) {
                    // Of the last record alone nothing tells whether it was written whole.
                    assertThat(journal.damage())
                            .as("bit %d", bit)
                            .hasSize(1 + FEW - seqs.size())
                            .first()
                            .asString()
                            .contains(".segment: ");
                    assertThat(flipped.corrupt()).as("bit %d", bit).isEqualTo(FEW - seqs.size());
                    assertThat(seqs).contains((long) FEW);
                }
                Stored after = new AppendResults(journal).store(push("after"));
                assertThat(after.duplicate()).isFalse();
                assertThat(after.seq()).as("bit %d", bit).isBetween(seqs.get(seqs.size() - 1) + 1, FEW + 1L);
            }
            empty(flipped);
        }
    }

    @Test
    void anyFlippedBitOfASealedSegmentCostsOnePushAtMost() throws IOException {
        LogUnderTest log = written("sealed", FEW, true);
        byte[] whole = Files.readAllBytes(only(log));
        for (int bit : bits(whole)) {
            LogUnderTest flipped = withSegment("damaged", flipped(whole, bit));
            try (LogJournal journal = flipped.open()) {
                List<Long> seqs = LogUnderTest.seqs(journal);
                assertThat(seqs).as("bit %d", bit).hasSizeBetween(FEW - 1, FEW).isSubsetOf(upTo(FEW));
                assertThat(flipped.corrupt()).as("bit %d", bit).isEqualTo(FEW - seqs.size());
                assertThat(new AppendResults(journal).store(push("after")))
                        .as("bit %d", bit)
                        .isEqualTo(new Stored(FEW + 1, false));
            }
            empty(flipped);
        }
    }

    @Test
    void aDuplicateOfAPushThatIsDamagedIsStoredAnew() throws IOException {
        LogUnderTest log = written("twin", 4, true);
        byte[] bytes = Files.readAllBytes(only(log));
        bytes[ends(bytes).get(2) - 1] ^= 4;
        Files.write(only(log), bytes);

        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            assertThat(answers.store(push("push 1"))).isEqualTo(new Stored(5, false));
            assertThat(answers.store(push("push 2"))).isEqualTo(new Stored(3, true));
            assertThat(journal.get(2)).isEmpty();
            assertThat(log.corrupt()).isEqualTo(1);
        }
    }

    @Test
    void aDamagedFileIsKeptAsideUntouchedAndServedAsFarAsItGoes() throws IOException {
        LogUnderTest log = written("aside", 50, false);
        byte[] bytes = Files.readAllBytes(only(log));
        bytes[bytes.length / 2] ^= 4;
        Files.write(only(log), bytes);
        Path aside = only(log).resolveSibling(only(log).getFileName() + ".damaged");

        for (int opening = 0; opening < 3; opening++) {
            try (LogJournal journal = log.open()) {
                assertThat(journal.damage())
                        .satisfiesExactly(
                                file -> assertThat(file).contains("00000000000000000001.segment"),
                                push -> assertThat(push).isEqualTo("push 25 is missing or can't be read"));
                assertThat(log.corrupt()).isEqualTo(1);
                assertThat(LogUnderTest.seqs(journal)).hasSize(49);
                assertThat(log.registry()
                                .get("holdfast.journal.damaged.files")
                                .gauge()
                                .value())
                        .isEqualTo(1);
            }
        }
        assertThat(aside).hasBinaryContent(bytes);
    }

    /** Its head tells which push it was, so that it is not taken for one that was being written. */
    @Test
    void aDamagedLastRecordIsToldWhenTheLogIsOpened() throws IOException {
        LogUnderTest log = written("last", 5, false);
        byte[] bytes = Files.readAllBytes(only(log));
        bytes[bytes.length - 1] ^= 4;
        Files.write(only(log), bytes);

        try (LogJournal journal = log.open()) {
            assertThat(journal.damage()).hasSize(2).last().isEqualTo("push 5 is missing or can't be read");
            assertThat(log.corrupt()).isEqualTo(1);
            assertThat(new AppendResults(journal).store(push("fresh"))).isEqualTo(new Stored(6, false));
            assertThat(LogUnderTest.seqs(journal)).containsExactly(1L, 2L, 3L, 4L, 6L);
            assertThat(log.corrupt()).isEqualTo(1);
        }
    }

    @Test
    void damageThatIsFoundByReadingIsReportedOnce() throws IOException {
        LogUnderTest log = written("read", 50, true);
        byte[] bytes = Files.readAllBytes(only(log));
        bytes[bytes.length / 2] ^= 4;
        Path damaged = Files.write(only(log), bytes);

        try (LogJournal journal = log.open()) {
            assertThat(journal.damage()).isEmpty();
            assertThat(LogUnderTest.seqs(journal)).hasSize(49);
            assertThat(LogUnderTest.seqs(journal)).hasSize(49);
            assertThat(journal.damage()).hasSize(2);
            assertThat(log.corrupt()).isEqualTo(1);
            assertThat(Path.of(damaged + ".damaged")).hasBinaryContent(bytes);
        }
    }

    @Test
    void aSegmentThatIsCutWhileTheLogIsOpenIsNamedAndCostsWhatWasBehindTheCut() throws IOException {
        LogUnderTest log = segmented("shortened");
        Path cut = log.segments().get(1);
        long from = firstSeq(cut);
        long to = firstSeq(log.segments().get(2)) - 1;
        byte[] bytes = Files.readAllBytes(cut);
        int kept = beginOf(from + 2, bytes);

        try (LogJournal journal = log.open()) {
            Files.write(cut, Arrays.copyOf(bytes, kept));

            assertThat(LogUnderTest.seqs(journal)).hasSize(100 - (int) (to - from - 1));
            assertThat(journal.damage())
                    .satisfiesExactly(
                            file -> assertThat(file).startsWith(cut.getFileName() + ": found "),
                            pushes -> assertThat(pushes)
                                    .startsWith("pushes %d to %d are missing".formatted(from + 2, to)));
            assertThat(Path.of(cut + ".damaged")).hasSize(kept);
        }
    }

    @Test
    void aStretchOfNonsenseCostsWhatItCovers() throws IOException {
        LogUnderTest log = written("stretch", 50, true);
        byte[] bytes = Files.readAllBytes(only(log));
        List<Integer> ends = ends(bytes);
        Arrays.fill(bytes, ends.get(10) + 3, ends.get(20) + 3, (byte) 0x55);
        Files.write(only(log), bytes);

        try (LogJournal journal = log.open()) {
            // The note is the first record: the push n ends where record n does.
            assertThat(LogUnderTest.seqs(journal))
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 50)
                            .filter(seq -> seq < 11 || seq > 21)
                            .boxed()
                            .toList());
            assertThat(log.corrupt()).isEqualTo(11);
        }
    }

    @Test
    void aLostSegmentCostsItsPushes() throws IOException {
        LogUnderTest log = segmented("lost");
        List<Path> segments = log.segments();
        long from = firstSeq(segments.get(1));
        long to = firstSeq(segments.get(2));
        Files.delete(segments.get(1));

        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal))
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 100)
                            .filter(seq -> seq < from || seq >= to)
                            .boxed()
                            .toList());
            assertThat(log.corrupt()).isEqualTo((double) (to - from));
            assertThat(journal.read(from, 1, 1))
                    .singleElement()
                    .satisfies(push -> assertThat(push.seq()).isEqualTo(to));
            assertThat(journal.get(from)).isEmpty();
            assertThat(new AppendResults(journal).store(push("after"))).isEqualTo(new Stored(101, false));
        }
    }

    @Test
    void lostFootersCostNothing() throws IOException {
        LogUnderTest log = segmented("footers");
        for (Path segment : log.segments()) {
            byte[] bytes = Files.readAllBytes(segment);
            Files.write(segment, Arrays.copyOf(bytes, bytes.length - SegmentFormat.FOOTER_LENGTH));
        }

        try (LogJournal journal = log.open(new MapDigests(), 0)) {
            assertThat(LogUnderTest.seqs(journal)).hasSize(100);
            assertThat(journal.damage()).isEmpty();
            assertThat(log.corrupt()).isZero();
            assertThat(new AppendResults(journal).store(push("push 3"))).isEqualTo(new Stored(4, true));
            assertThat(new AppendResults(journal).store(push("after"))).isEqualTo(new Stored(101, false));
            assertThat(journal.lastNote()).hasValue(NOTE);
        }
    }

    @Test
    void aSealThatWasCutShortIsNoDamageAndIsMadeAgain() throws IOException {
        LogUnderTest unsealed = written("unsealed", FEW, false);
        LogUnderTest log = written("unsealed2", FEW, true);
        byte[] whole = Files.readAllBytes(only(log));
        int from = ends(whole).get(ends(whole).size() - 3);
        assertThat(from).isEqualTo((int) Files.size(only(unsealed)));
        for (int length = from; length < whole.length; length++) {
            LogUnderTest cut = withSegment("damaged", Arrays.copyOf(whole, length));
            for (int life = 0; life < 2; life++) {
                try (LogJournal journal = cut.open()) {
                    assertThat(journal.damage()).as("cut at %d", length).isEmpty();
                    assertThat(LogUnderTest.seqs(journal)).containsSubsequence(upTo(FEW));
                    new AppendResults(journal).store(push("life " + life));
                }
            }
            for (Path segment : cut.segments()) {
                byte[] bytes = Files.readAllBytes(segment);
                ByteBuffer end =
                        ByteBuffer.wrap(bytes, bytes.length - SegmentFormat.FOOTER_LENGTH, SegmentFormat.FOOTER_LENGTH);
                assertThat(SegmentFormat.footer(end.slice()))
                        .as("cut at %d, %s", length, segment)
                        .isNotNull();
            }
            empty(cut);
        }
    }

    @Test
    void aFileNamedPastTheLastPositionIsNoSegment() throws IOException {
        LogUnderTest log = written("past", FEW, true);
        Path segment = only(log);
        for (String name : List.of("80000000000000000001.segment", "09999999999999999999.segment")) {
            Files.copy(segment, segment.resolveSibling(name));
        }

        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal)).isEqualTo(upTo(FEW));
            assertThat(new AppendResults(journal).store(push("after"))).isEqualTo(new Stored(FEW + 1, false));
        }
    }

    @Test
    void aBodyThatEndsLikeAFooterIsNoneWhereTheHeaderIsDamaged() throws IOException {
        LogUnderTest living = new LogUnderTest(directory.resolve("living"));
        LogUnderTest log;
        ByteBuffer footer = ByteBuffer.allocate(SegmentFormat.FOOTER_LENGTH);
        SegmentFormat.putFooter(footer, new SegmentFormat.Footer(77, 1, 1, 0, 0));
        try (LogJournal journal = living.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("first"));
            answers.store(push("default", "sub_t_1600000000", footer.array(), 1_000));
            log = living.copyTo(directory.resolve("killed"));
        }
        Path segment = only(log);
        byte[] bytes = Files.readAllBytes(segment);
        assertThat(bytes).endsWith(footer.array());
        bytes[12] ^= 1;
        Files.write(segment, bytes);

        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal)).isEqualTo(upTo(2));
        }
    }

    @Test
    void anEmptyAndAForeignFileAmongTheSegmentsKeepNothingFromBeingOpened() throws IOException {
        LogUnderTest log = segmented("foreign");
        Path place = Objects.requireNonNull(log.segments().get(0).getParent());
        Files.createFile(place.resolve("00000000000000000101.segment"));
        Files.writeString(place.resolve("00000000000000000102.segment"), "something else altogether, and not short");
        Files.createFile(place.resolve("00000000000000000103.segment.new"));
        Files.createFile(place.resolve("notes.txt"));
        Files.createDirectory(place.resolve("00000000000000000104.segment"));

        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal)).hasSize(100);
            assertThat(journal.damage()).hasSize(4).last().asString().startsWith("pushes 101 to 103 ");
            assertThat(new AppendResults(journal).store(push("after")).seq()).isEqualTo(105);
            assertThat(place.resolve("notes.txt")).exists();
            assertThat(place.resolve("00000000000000000103.segment.new")).doesNotExist();
        }
    }

    /** Whoever opened one would wait for its other end. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeInThePlaceOfASegmentOrOfTheRangeKeepsNobodyWaiting() throws Exception {
        LogUnderTest log = segmented("pipes");
        List<Path> segments = log.segments();
        Path place = Objects.requireNonNull(segments.get(0).getParent());
        for (Path pipe : List.of(
                segments.get(1), place.resolve("00000000000000000101.segment"), place.resolve(KnownRange.NAME))) {
            Files.deleteIfExists(pipe);
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
        }

        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal)).hasSizeBetween(50, 99).contains(1L, 100L);
            assertThat(new AppendResults(journal).store(push("after")).seq()).isEqualTo(101);
        }
    }

    @Test
    void aLostIndexOfDigestsIsMadeAgain() {
        LogUnderTest log = segmented("digests");
        MapDigests fresh = new MapDigests();

        try (LogJournal journal = log.open(fresh, 0)) {
            AppendResults answers = new AppendResults(journal);
            for (int i = 0; i < 100; i++) {
                assertThat(answers.store(push("push " + i))).isEqualTo(new Stored(i + 1, true));
            }
        }
        assertThat(fresh.size()).isEqualTo(100);
        assertThat(fresh.upTo()).isEqualTo(100);
    }

    @Test
    void anIndexOfDigestsThatIsAheadOfTheLogKeepsPositionsFromBeingGivenTwice() {
        LogUnderTest log = written("ahead", 5, true);
        MapDigests ahead = new MapDigests();
        ahead.add(new long[] {7}, new long[] {9}, 1, 9);

        try (LogJournal journal = log.open(ahead, 0)) {
            assertThat(new AppendResults(journal).store(push("after"))).isEqualTo(new Stored(10, false));
        }
    }

    @Test
    void positionsThatAConsumerHasPassedAreNotGivenToOtherPushes() {
        LogUnderTest killed = written("passed", 5, false);

        try (LogJournal journal = killed.open(new MapDigests(), 50)) {
            assertThat(journal.lastSeq()).isEqualTo(50);
            assertThat(LogUnderTest.seqs(journal)).hasSize(5);
            assertThat(new AppendResults(journal).store(push("after"))).isEqualTo(new Stored(51, false));
            assertThat(killed.corrupt()).isEqualTo(45);
        }
        try (LogJournal journal = killed.open(new MapDigests(), 50)) {
            assertThat(LogUnderTest.seqs(journal)).containsExactly(1L, 2L, 3L, 4L, 5L, 51L);
            assertThat(new AppendResults(journal).store(push("later"))).isEqualTo(new Stored(52, false));
        }
    }

    @Test
    void aLogOfANewerVersionIsRefusedAndLeftAsItIs() throws IOException {
        LogUnderTest log = segmented("newer");
        Path newest = log.segments().get(log.segments().size() - 1);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(newest));
        bytes.putInt(8, SegmentFormat.VERSION + 1).putInt(28, SegmentFormat.checksum(bytes, 0, 28));
        Files.write(newest, bytes.array());
        Path oldest = log.segments().get(0);
        Files.write(oldest, flipped(Files.readAllBytes(oldest), 8 * 9));
        List<Path> before = log.segments();

        assertThatThrownBy(log::open)
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("newer version of Holdfast")
                .hasMessageContaining("format version 2")
                .hasMessageContaining("at most 1");
        assertThat(log.segments()).isEqualTo(before);
        assertThat(newest).hasBinaryContent(bytes.array());
        assertThat(Path.of(oldest + ".damaged")).doesNotExist();
    }

    @Test
    void aDirectoryOfTheVersionOnRocksDbIsRefused() throws IOException {
        Files.writeString(directory.resolve("CURRENT"), "MANIFEST-000005\n");
        Files.createFile(directory.resolve("MANIFEST-000005"));

        assertThatThrownBy(() -> new LogUnderTest(directory).open())
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("older version of Holdfast")
                .hasMessageContaining("RocksDB");
        assertThat(new LogUnderTest(directory).segments()).isEmpty();
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> new LogUnderTest(file).open())
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void anAcknowledgedPushWhoseRecordLooksLikeATornOneIsNotCutOff() throws IOException {
        LogUnderTest log = written("torn", 5, false);
        Path segment = only(log);
        byte[] bytes = Files.readAllBytes(segment);
        List<Integer> ends = ends(bytes);
        // In its marker.
        bytes[ends.get(ends.size() - 2) + 4] ^= 1;
        Files.write(segment, bytes);

        try (LogJournal journal = log.open()) {
            assertThat(new AppendResults(journal).store(push("fresh"))).isEqualTo(new Stored(6, false));
            assertThat(journal.damage())
                    .containsExactly(
                            segment.getFileName() + ": found no whole record of push 5, which was stored",
                            "push 5 is missing or can't be read");
        }
        assertThat(Files.readAllBytes(segment)).isEqualTo(bytes);
        assertThat(Path.of(segment + ".damaged")).hasBinaryContent(bytes);
    }

    /** As the one before, but the next segment is what tells that it was stored. */
    @Test
    void norIsOneInASegmentThatTheNextHasFollowed() throws IOException {
        LogUnderTest opened = written("opened", 5, false);
        LogUnderTest log;
        try (LogJournal journal = opened.open()) {
            assertThat(journal.lastSeq()).isEqualTo(5);
            log = opened.copyTo(directory.resolve("followed"));
        }
        Path segment = log.segments().get(0);
        List<Integer> ends = ends(Files.readAllBytes(segment));
        byte[] bytes = Arrays.copyOf(Files.readAllBytes(segment), ends.get(ends.size() - 2));
        bytes[ends.get(ends.size() - 3) + 4] ^= 1;
        Files.write(segment, bytes);

        try (LogJournal journal = log.open()) {
            new AppendResults(journal).store(push("fresh"));
            assertThat(journal.damage()).endsWith("push 4 is missing or can't be read");
        }
        assertThat(Files.readAllBytes(segment)).isEqualTo(bytes);
        assertThat(Path.of(segment + ".damaged")).hasBinaryContent(bytes);
    }

    @Test
    void aPushInAnUnknownFormIsReportedAndPassedOver() throws IOException {
        LogUnderTest log = written("unknown", 3, true);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(only(log)));
        int begin = beginOf(2, bytes.array());
        int end = begin + bytes.getInt(begin + SegmentFormat.LENGTH_AT);
        bytes.put(begin + SegmentFormat.RECORD_HEAD, (byte) 9)
                .putInt(begin, SegmentFormat.checksum(bytes, begin + SegmentFormat.MARKER_AT, end));
        Files.write(only(log), bytes.array());

        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal)).containsExactly(1L, 3L);
            assertThat(log.corrupt()).isEqualTo(1);
            assertThat(journal.damage()).isNotEmpty();
        }
    }

    /** Of a push's record. */
    private static int beginOf(long seq, byte[] segment) {
        ByteBuffer bytes = ByteBuffer.wrap(segment);
        return begins(segment).stream()
                .filter(at -> bytes.getLong(at + SegmentFormat.SEQ_AT) == seq)
                .filter(at -> SegmentFormat.kind(bytes.get(at + SegmentFormat.KIND_AT)) == SegmentFormat.PUSH)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nonsenseBehindTheLastRecordIsCutOff() throws IOException {
        LogUnderTest log = written("behind", 10, false);
        Files.writeString(only(log), "nonsense, and longer than the head of a record", StandardOpenOption.APPEND);

        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal)).hasSize(10);
            assertThat(log.corrupt()).isZero();
            assertThat(journal.damage()).isEmpty();
        }
        assertThat(journalBytes(log)).doesNotContain("nonsense");
    }

    private static String journalBytes(LogUnderTest log) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path segment : log.segments()) {
            all.append(Files.readString(segment, StandardCharsets.ISO_8859_1));
        }
        return all.toString();
    }

    /** A hundred pushes in some segments, stopped. */
    private LogUnderTest segmented(String name) {
        LogUnderTest log = new LogUnderTest(directory.resolve(name)).withSegmentsOf(2_000);
        try (LogJournal journal = log.open()) {
            journal.note(NOTE);
            AppendResults answers = new AppendResults(journal);
            for (int i = 0; i < 100; i++) {
                answers.store(push("push " + i));
            }
        }
        assertThat(log.segments()).hasSizeBetween(4, 20);
        return log;
    }

    private LogUnderTest withSegment(String name, byte[] bytes) throws IOException {
        Path place = Files.createDirectories(directory.resolve(name));
        Files.write(place.resolve("00000000000000000001.segment"), bytes);
        LogUnderTest log = new LogUnderTest(place);
        log.disk.skipSyncs();
        return log;
    }

    /** Leaves the directory itself for the next: removing one takes longer than all the rest. */
    private static void empty(LogUnderTest log) throws IOException {
        Path place = Objects.requireNonNull(log.segments().get(0).getParent());
        try (Stream<Path> files = Files.list(place)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
    }
}
