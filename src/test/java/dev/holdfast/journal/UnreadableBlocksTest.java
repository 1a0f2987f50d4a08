package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import dev.holdfast.journal.AppendResults.Stored;
import dev.holdfast.journal.BrokenDisk.BadBlocks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk doesn't give some blocks: what lies in them is waited for, and then it costs that and nothing else. */
class UnreadableBlocksTest {
    private static final int PUSHES = 2_000;
    /** Where a block begins, behind what is read at once. */
    private static final int BLOCK = 4 << 10;

    private static final BadBlocks ONE = new BadBlocks(250 * BLOCK, 251 * BLOCK);
    /** More than one push is shorter than. */
    private static final int LOST_AT_MOST = 8;

    private static final int BEFORE_THE_GROUP = 200;
    private static final int GROUP = 100;
    private static final int IN_GROUPS = BEFORE_THE_GROUP + GROUP;

    private static final long FOR_EVER = Long.MAX_VALUE;
    private static final long A_MOMENT = 500_000_000;
    /** Fewer than one for each of many bad blocks. */
    private static final int MOST_TRIES = 60;

    @TempDir
    private Path directory;

    private LogUnderTest stopped;
    private LogUnderTest killed;

    /** Two megabytes, in one segment. */
    @BeforeEach
    void write() {
        stopped = new LogUnderTest(directory.resolve("stopped"));
        try (LogJournal journal = stopped.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.storeMany("x".repeat(1_000), PUSHES);
            answers.store(push("last"));
            killed = stopped.copyTo(directory.resolve("killed"));
        }
    }

    /** All that can be read from the beginning on, page by page, as a consumer does. */
    private static List<Long> readable(LogJournal journal) {
        List<Long> seqs = new ArrayList<>();
        long next = 1;
        while (next <= PUSHES + 1) {
            List<Long> page = journal.read(next, 100, Long.MAX_VALUE).stream()
                    .map(found -> found.seq())
                    .filter(seq -> seq <= PUSHES + 1)
                    .toList();
            if (page.isEmpty()) {
                break;
            }
            seqs.addAll(page);
            next = page.get(page.size() - 1) + 1;
        }
        return seqs;
    }

    /** The same, once what can't be read had its time: all of it at once. */
    private static List<Long> inTime(LogUnderTest log, LogJournal journal) {
        for (int tries = 0; ; tries++) {
            try {
                return readable(journal);
            } catch (JournalException notYet) {
                assertThat(tries).isLessThan(MOST_TRIES);
                log.disk.pass(A_MOMENT);
            }
        }
    }

    private static void assertAllButAFew(List<Long> seqs) {
        assertThat(seqs)
                .hasSizeBetween(PUSHES + 1 - LOST_AT_MOST, PUSHES)
                .startsWith(1L)
                .endsWith(PUSHES + 1L);
    }

    private static List<Long> all() {
        return SegmentFiles.upTo(PUSHES + 1);
    }

    @Test
    void whatLiesAroundThemIsThereAfterAnOpening() {
        killed.disk.breakReads(ONE, A_MOMENT);
        try (LogJournal journal = killed.open()) {
            assertThatThrownBy(() -> readable(journal)).isInstanceOf(JournalException.class);

            assertAllButAFew(inTime(killed, journal));
            assertThat(journal.damage()).hasSizeGreaterThan(1);
        }
        killed.disk.mend();
        try (LogJournal journal = killed.open()) {
            assertThat(readable(journal)).isEqualTo(all());
        }
    }

    @Test
    void whatCouldNotBeReadAtTheOpeningIsReadWhenItCan() {
        killed.disk.breakReads(ONE, FOR_EVER);
        try (LogJournal journal = killed.open()) {
            assertThatThrownBy(() -> readable(journal)).isInstanceOf(JournalException.class);
            killed.disk.mend();

            assertThat(readable(journal)).isEqualTo(all());
        }
    }

    /** Each may take a disk seconds, and who lags has pages to get before. */
    @Test
    void whoReadsForwardAsksForNoneThatLieFurtherOn() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(ONE, FOR_EVER);

            for (int from = 1; from < 500; from += 100) {
                assertThat(journal.read(from, 100, Long.MAX_VALUE)).hasSize(100);
            }
            assertThat(stopped.disk.badReads()).isZero();
        }
    }

    @Test
    void whatLiesBeforeThemIsReadAndNothingIsPassedBeforeItsTime() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(ONE, FOR_EVER);
            List<Long> before = new ArrayList<>();

            assertThatThrownBy(() -> {
                        for (long next = 1; next <= PUSHES; next = before.get(before.size() - 1) + 1) {
                            journal.read(next, PUSHES, Long.MAX_VALUE).forEach(found -> before.add(found.seq()));
                        }
                    })
                    .hasMessageContaining("Input/output error");

            assertThat(before).hasSizeGreaterThan(500);
            assertThat(journal.damage()).isEmpty();
        }
    }

    @Test
    void afterItsTimeWhatLiesInThemIsLostAndSaidToBe() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(ONE, A_MOMENT);
            assertThatThrownBy(() -> readable(journal)).isInstanceOf(JournalException.class);

            List<Long> seqs = inTime(stopped, journal);

            assertAllButAFew(seqs);
            assertThat(stopped.corrupt()).isEqualTo(PUSHES + 1.0 - seqs.size());
            assertThat(journal.damage()).isNotEmpty();
        }
    }

    /** Larger than what is read at once. */
    @Test
    void aLongStretchCostsWhatLiesInItAndNothingElse() {
        BadBlocks stretch = new BadBlocks(512 << 10, 1280 << 10);
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(stretch, A_MOMENT);

            assertThat(inTime(stopped, journal))
                    .hasSizeGreaterThan(PUSHES / 2)
                    .startsWith(1L)
                    .endsWith(PUSHES + 1L);
        }
        killed.disk.breakReads(stretch, A_MOMENT);
        try (LogJournal journal = killed.open()) {
            assertThat(journal.lastSeq()).isEqualTo(PUSHES + 1L);
            assertThat(inTime(killed, journal))
                    .hasSizeGreaterThan(PUSHES / 2)
                    .startsWith(1L)
                    .endsWith(PUSHES + 1L);
        }
    }

    @Test
    void aSegmentOfWhichNothingCouldBeReadAtTheOpeningIsReadWhenItCan() {
        killed.disk.breakReads(new BadBlocks(0, FOR_EVER), FOR_EVER);
        try (LogJournal journal = killed.open()) {
            assertThatThrownBy(() -> readable(journal)).isInstanceOf(JournalException.class);
            killed.disk.mend();

            assertThat(readable(journal)).isEqualTo(all());
            assertThat(new AppendResults(journal).store(push("after")).seq()).isGreaterThan(PUSHES + 1L);
        }
    }

    /** Its length alone tells how many they are. */
    @Test
    void noPositionOfASegmentOfWhichNothingCanBeReadIsGivenAgain() throws IOException {
        Files.delete(directory.resolve("killed").resolve(KnownRange.NAME));
        killed.disk.breakReads(new BadBlocks(0, FOR_EVER), FOR_EVER);
        try (LogJournal journal = killed.open()) {
            assertThat(new AppendResults(journal).store(push("after")).seq()).isGreaterThan(PUSHES + 1L);
        }
    }

    @Test
    void aPushWhoseTwinCanNotBeReadIsStoredAsANewOne() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(new BadBlocks(0, FOR_EVER), FOR_EVER);

            assertThat(new AppendResults(journal).store(push("last"))).isEqualTo(new Stored(PUSHES + 2, false));
        }
    }

    /** It is no torn write: nothing of it is cut off, at the next opening either. */
    @Test
    void whatASegmentEndsInAndCouldNotBeReadAtTheOpeningIsReadWhenItCan() {
        killed.disk.breakReads(new BadBlocks(1 << 20, FOR_EVER), FOR_EVER);
        try (LogJournal journal = killed.open()) {
            killed.disk.mend();
            assertThat(readable(journal)).isEqualTo(all());
            assertThat(new AppendResults(journal).store(push("after")).seq()).isGreaterThan(PUSHES + 1L);
        }
        try (LogJournal journal = killed.open()) {
            assertThat(readable(journal)).isEqualTo(all());
        }
    }

    @Test
    void oneThatFailedForAMomentHastensNothingWhenTheDiskIsAwayLater() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(ONE, A_MOMENT);
            assertThatThrownBy(() -> readable(journal)).isInstanceOf(JournalException.class);
            stopped.disk.mend();
            assertThat(readable(journal)).isEqualTo(all());
            AppendResults answers = new AppendResults(journal);
            stopped.disk.pass(A_MOMENT);
            answers.store(push("kept since"));
            stopped.disk.breakReads(new BadBlocks(0, FOR_EVER), A_MOMENT);

            assertThatThrownBy(() -> journal.read(1, 10, Long.MAX_VALUE)).isInstanceOf(JournalException.class);

            stopped.disk.mend();
            assertThat(readable(journal)).isEqualTo(all());
            assertThat(journal.damage()).isEmpty();
        }
    }

    @Test
    void onAFullDiskTheyAreGivenUpToo() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakWrites(0);
            stopped.disk.breakReads(ONE, A_MOMENT);

            assertAllButAFew(inTime(stopped, journal));
            stopped.disk.mend();
        }
    }

    @Test
    void whatCanNotBeReadForAMomentAtTheOpeningIsTriedAgain() {
        killed.disk.breakReads(new BadBlocks(0, FOR_EVER), FOR_EVER);
        killed.disk.mendReadsAfter(3);
        try (LogJournal journal = killed.open()) {
            assertThat(journal.lastSeq()).isEqualTo(PUSHES + 1L);
            assertThat(readable(journal)).isEqualTo(all());
            assertThat(journal.damage()).isEmpty();
        }
    }

    @Test
    void aDiskThatIsAwayIsWaitedForHoweverLong() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(new BadBlocks(0, FOR_EVER), A_MOMENT);
            for (int time = 0; time < 5; time++) {
                assertThatThrownBy(() -> journal.read(1, 10, Long.MAX_VALUE)).isInstanceOf(JournalException.class);
                stopped.disk.pass(A_MOMENT);
            }
            stopped.disk.mend();

            assertThat(readable(journal)).isEqualTo(all());
            assertThat(journal.damage()).isEmpty();
        }
    }

    /** A log whose last group is of some 100 KB, as a killed process leaves it. */
    private LogUnderTest killedAfterALargeGroup() {
        LogUnderTest living = new LogUnderTest(directory.resolve("living"));
        try (LogJournal journal = living.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.storeMany("x".repeat(1_000), BEFORE_THE_GROUP - 1);
            int writes = living.disk.writes();
            living.disk.hang();
            answers.append(push("written alone"));
            Eventually.until(() -> living.disk.writes() > writes);
            for (int i = 0; i < GROUP; i++) {
                answers.append(push("y".repeat(1_000) + i));
            }
            living.disk.mend();
            answers.all().forEach(AppendResults::within);
            return living.copyTo(directory.resolve("killed in a group"));
        }
    }

    /** Where the last group of a log begins, and where it ends. */
    private static BadBlocks lastGroup(LogUnderTest log) throws IOException {
        ByteBuffer segment = ByteBuffer.wrap(Files.readAllBytes(log.segments().get(0)));
        int begin = 0;
        for (int at : SegmentFiles.begins(segment.array())) {
            begin = SegmentFormat.isFirstOfGroup(segment.get(at + SegmentFormat.KIND_AT)) ? at : begin;
        }
        assertThat(segment.limit() - begin).isGreaterThan(GROUP * 1_000);
        return new BadBlocks(begin, segment.limit());
    }

    /** Of what is written once more nothing may lack that the disk gives later. */
    private static void assertNothingIsLost(LogUnderTest log, BadBlocks bad) {
        log.disk.breakReads(bad, FOR_EVER);
        try (LogJournal journal = log.open()) {
            log.disk.mend();

            assertThat(LogUnderTest.seqs(journal)).isEqualTo(SegmentFiles.upTo(IN_GROUPS));
            assertThat(new AppendResults(journal).store(push("after")).seq()).isGreaterThan(IN_GROUPS);
        }
        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal)).hasSize(IN_GROUPS + 1);
            assertThat(log.corrupt()).as("pushes that were never there").isZero();
        }
    }

    private static BadBlocks one(long at) {
        return new BadBlocks(at, at + 1);
    }

    private static void assertOneBlockIsLost(LogUnderTest log, long at) {
        log.disk.breakReads(one(at), FOR_EVER);
        try (LogJournal journal = log.open()) {
            log.disk.mend();

            assertThat(LogUnderTest.seqs(journal)).hasSizeBetween(IN_GROUPS - LOST_AT_MOST, IN_GROUPS);
            assertThat(journal.damage()).isNotEmpty();
            assertThat(new AppendResults(journal).store(push("after")).seq()).isEqualTo(IN_GROUPS + 1);
        }
    }

    @Test
    void oneInTheMiddleOfTheLastGroupCostsNothingElse() throws IOException {
        LogUnderTest log = killedAfterALargeGroup();
        BadBlocks group = lastGroup(log);

        assertNothingIsLost(log, one((group.from() + group.to()) / 2));
    }

    @Test
    void oneWhereTheLastGroupBeginsCostsNothingElse() throws IOException {
        LogUnderTest log = killedAfterALargeGroup();

        assertNothingIsLost(log, one(lastGroup(log).from()));
    }

    @Test
    void oneWhereTheSegmentEndsCostsNothingElse() throws IOException {
        LogUnderTest log = killedAfterALargeGroup();

        assertNothingIsLost(log, one(lastGroup(log).to() - 1));
    }

    @Test
    void oneWhereTheSegmentBeginsCostsNothingElse() {
        assertOneBlockIsLost(killedAfterALargeGroup(), 0);
    }

    @Test
    void anOutageThatEndsInTheMidstOfAReadingCostsNothing() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(new BadBlocks(0, FOR_EVER), 0);
            stopped.disk.mendReadsAfter(100);

            List<Long> seqs = inTime(stopped, journal);

            assertThat(seqs).isEqualTo(all());
            assertThat(journal.damage()).isEmpty();
        }
    }

    @Test
    void oneThatFailsForAMomentNowAndThenIsNotLost() {
        try (LogJournal journal = stopped.open()) {
            for (int time = 0; time < 2; time++) {
                stopped.disk.breakReads(ONE, A_MOMENT);
                assertThatThrownBy(() -> readable(journal)).isInstanceOf(JournalException.class);
                stopped.disk.mend();
                assertThat(readable(journal)).isEqualTo(all());
                stopped.disk.pass(2 * A_MOMENT);
            }
            assertThat(journal.damage()).isEmpty();
        }
    }

    @Test
    void oneThatIsLostHastensNoneBesideIt() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(ONE, A_MOMENT);
            assertAllButAFew(inTime(stopped, journal));
            stopped.disk.breakReads(new BadBlocks(ONE.from(), 400 * BLOCK), A_MOMENT);

            assertThatThrownBy(() -> readable(journal)).isInstanceOf(JournalException.class);

            stopped.disk.mend();
            assertThat(readable(journal)).isEqualTo(all());
        }
    }

    @Test
    void howeverManyThereAreTheyAreWaitedForTogether() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(new BadBlocks(10 * BLOCK, 500 * BLOCK, 7), A_MOMENT);

            assertThat(inTime(stopped, journal))
                    .hasSizeGreaterThan(PUSHES / 2)
                    .startsWith(1L)
                    .endsWith(PUSHES + 1L);
        }
    }

    @Test
    void whoNeedsNoneOfThemDoesNotWait() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(new BadBlocks(10 * BLOCK, 12 * BLOCK), FOR_EVER);

            assertThat(journal.read(PUSHES - 5, 10, Long.MAX_VALUE)).hasSize(7);
        }
    }

    @Test
    void whatAStartCouldNotReadCountsForLostOnlyWhenItIs() {
        killed.disk.breakReads(ONE, FOR_EVER);
        try (LogJournal journal = killed.open()) {
            killed.disk.mend();

            assertThat(readable(journal)).isEqualTo(all());
            assertThat(killed.corrupt()).isZero();
        }
    }

    @Test
    void whatIsCutOffASegmentWhoseEndWasGuessedIsMissing() throws IOException {
        killed.disk.breakReads(new BadBlocks(0, FOR_EVER), FOR_EVER);
        try (LogJournal journal = killed.open()) {
            new AppendResults(journal).store(push("after"));
        }
        killed.disk.mend();
        try (FileChannel segment = FileChannel.open(killed.segments().get(0), StandardOpenOption.WRITE)) {
            segment.truncate(1 << 20);
        }
        try (LogJournal journal = killed.open()) {
            long there = LogUnderTest.seqs(journal).size() - 1;

            assertThat(killed.corrupt()).isEqualTo(PUSHES + 1.0 - there);
        }
    }

    @Test
    void oneThatIsLostHastensNoOtherOfItsSegment() {
        try (LogJournal journal = stopped.open()) {
            stopped.disk.breakReads(ONE, A_MOMENT);
            assertAllButAFew(inTime(stopped, journal));
            stopped.disk.breakReads(new BadBlocks(400 * BLOCK, 401 * BLOCK), A_MOMENT);
            assertThatThrownBy(() -> readable(journal)).isInstanceOf(JournalException.class);
            stopped.disk.mend();

            assertThat(readable(journal)).isEqualTo(all());
        }
    }

    @Test
    void theirPushesAreTakenForNobodysTwins() {
        killed.disk.breakReads(ONE, A_MOMENT);
        try (LogJournal journal = killed.open()) {
            AppendResults answers = new AppendResults(journal);

            assertThat(answers.store(push("last")).duplicate()).isTrue();
            assertThat(answers.store(push("new")).duplicate()).isFalse();
        }
    }
}
