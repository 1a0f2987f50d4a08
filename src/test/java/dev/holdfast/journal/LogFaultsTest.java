package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static dev.holdfast.journal.AppendResults.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import dev.holdfast.LogLines;
import dev.holdfast.journal.AppendResults.Stored;
import dev.holdfast.push.PushRecord;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk fails: what was acknowledged stays, and nothing is acknowledged that was not stored. */
class LogFaultsTest {
    @TempDir
    private Path directory;

    private LogUnderTest log;

    @BeforeEach
    void log() {
        log = new LogUnderTest(directory.resolve("log"));
    }

    private LogUnderTest killed() {
        return log.copyTo(directory.resolve("killed"));
    }

    @Test
    void afterAFailedWriteNothingIsAcknowledgedUntilANewSegmentGoesOn() {
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.storeMany("before", 10);
            int writes = log.disk.writes();
            CompletableFuture<Boolean> writable = new CompletableFuture<>();
            CompletableFuture<CompletableFuture<Stored>> next = new CompletableFuture<>();
            CompletableFuture<Integer> tried = new CompletableFuture<>();
            log.disk.breakWrites(0);

            // On the journal's own thread, which can't begin a segment meanwhile.
            journal.append(push("lost"), outcome(() -> {
                writable.complete(journal.writable());
                next.complete(answers.append(push("also lost")).whenComplete((stored, failure) -> {
                    tried.complete(log.disk.writes());
                    log.disk.mend();
                }));
            }));

            assertThat(within(writable)).isFalse();
            assertThatThrownBy(() -> within(within(next))).hasCauseInstanceOf(JournalException.class);
            assertThat(within(tried)).as("writes tried").isEqualTo(writes + 1);

            Eventually.until(journal::writable);
            assertThat(answers.store(push("after"))).isEqualTo(new Stored(11, false));
            assertThat(log.registry().get("holdfast.journal.failures").counter().count())
                    .isEqualTo(1);
        }
    }

    /** Syncs fail and segments can be begun, as on a disk with a little room: that would be two lines for each try. */
    @Test
    void aDiskThatFailsAgainAndAgainFloodsNoLog() {
        try (LogLines lines = LogLines.atWarn()) {
            try (LogJournal journal = log.open()) {
                AppendResults answers = new AppendResults(journal);
                log.disk.breakSyncs();
                for (int i = 0; i < 20; i++) {
                    assertThatThrownBy(() -> answers.store(push("lost"))).hasCauseInstanceOf(JournalException.class);
                }
            }

            // Who waits is answered before the line is written; when the journal is closed, it is.
            assertThat(lines.lines())
                    .filteredOn(line -> line.contains("the journal can't"))
                    .hasSizeBetween(1, 4);
        }
    }

    /** Removed, renamed or mounted over: its segments are not gone by that. */
    @Test
    void aDirectoryThatIsAwayIsWaitedForByWhoReads() throws IOException {
        Path home = directory.resolve("log");
        Path away = directory.resolve("away");
        try (LogJournal journal = log.open()) {
            new AppendResults(journal).storeMany("kept", 10);
            Files.move(home, away);
            assertThatThrownBy(() -> LogUnderTest.seqs(journal)).isInstanceOf(JournalException.class);
            Files.createDirectory(home);
            assertThatThrownBy(() -> journal.get(1)).isInstanceOf(JournalException.class);
            Files.delete(home);
            Files.move(away, home);

            assertThat(LogUnderTest.seqs(journal)).hasSize(10);
            assertThat(journal.damage()).isEmpty();
        }
    }

    @Test
    void aSegmentThatSomebodyDeletesWhileTheLogIsOpenCostsItsPushesAndIsSaidToBeGone() throws IOException {
        log.withSegmentsOf(20_000);
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            for (int n = 0; n < 100; n++) {
                answers.store(push("x".repeat(1_000) + n));
            }
            List<Path> segments = log.segments();
            assertThat(segments).hasSizeGreaterThan(3);
            long from = SegmentFiles.firstSeq(segments.get(1));
            long to = SegmentFiles.firstSeq(segments.get(2)) - 1;

            Files.delete(segments.get(1));

            assertThat(LogUnderTest.seqs(journal))
                    .isEqualTo(LongStream.rangeClosed(1, 100)
                            .filter(seq -> seq < from || seq > to)
                            .boxed()
                            .toList());
            assertThat(journal.damage())
                    .containsExactly(
                            segments.get(1).getFileName() + ": the file is gone",
                            "pushes " + from + " to " + to + " are missing or can't be read");
            assertThat(log.corrupt()).isEqualTo(to - from + 1);
            assertThat(answers.store(push("goes on"))).isEqualTo(new Stored(101, false));
        }
    }

    @Test
    void aGroupThatCouldNotBeWrittenOnceMoreIsThereAtTheNextOpening() {
        LogUnderTest killed;
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("one group"));
            answers.store(push("the last one"));
            killed = killed();
        }
        killed.disk.breakWrites(0);
        try (LogJournal journal = killed.open()) {
            assertThat(journal.writable()).isFalse();
        }
        killed.disk.mend();

        try (LogJournal journal = killed.open()) {
            assertThat(LogUnderTest.texts(journal)).containsExactly("one group", "the last one");
        }
    }

    @Test
    void allThatWaitsFailsTogetherWithTheWrite() {
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            log.disk.breakWrites(0);
            for (int i = 0; i < 1_000; i++) {
                answers.append(push("lost" + i));
            }
            CompletableFuture<Void> removed = journal.removeBelow(1).toCompletableFuture();

            Eventually.until(() -> answers.all().stream().allMatch(CompletableFuture::isDone) && removed.isDone());
            assertThat(answers.all()).allMatch(CompletableFuture::isCompletedExceptionally);
        }
    }

    @Test
    void aPushWhoseSyncFailedIsNeitherThereNorTheTwinOfALaterOne() {
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("before"));
            log.disk.breakSyncs();
            assertThatThrownBy(() -> answers.store(push("doubtful"))).hasCauseInstanceOf(JournalException.class);
            assertThat(journal.lastSeq()).isEqualTo(1);
            log.disk.mend();
            Eventually.until(journal::writable);

            assertThat(LogUnderTest.texts(journal)).containsExactly("before");
            int syncs = log.disk.syncs();
            assertThat(answers.store(push("doubtful"))).isEqualTo(new Stored(2, false));
            assertThat(log.disk.syncs()).as("synced, not taken for stored").isGreaterThan(syncs);
            assertThat(answers.store(push("doubtful"))).isEqualTo(new Stored(2, true));
        }
        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.texts(journal)).containsExactly("before", "doubtful");
        }
    }

    @Test
    void aPushWhoseSyncFailedDoesNotComeBackWhenOthersFollowInItsPlace() {
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("before"));
            log.disk.breakSyncs();
            assertThatThrownBy(() -> answers.store(push("doubtful"))).hasCauseInstanceOf(JournalException.class);
            log.disk.mend();
            Eventually.until(journal::writable);
            answers.store(push("other"));
        }
        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.texts(journal)).containsExactly("before", "other");
            assertThat(new AppendResults(journal).store(push("doubtful"))).isEqualTo(new Stored(3, false));
        }
    }

    /** The index of digests tells the next opening how far positions were given. */
    @Test
    void aPushWhoseSyncFailedIsNotSaidToBeGone() {
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("before"));
            log.disk.breakSyncs();
            assertThatThrownBy(() -> answers.store(push("doubtful"))).hasCauseInstanceOf(JournalException.class);
            log.disk.mend();
        }
        try (LogJournal journal = log.open()) {
            assertThat(log.digests.addedUpTo()).isEqualTo(1);
            assertThat(journal.damage()).isEmpty();
            assertThat(new AppendResults(journal).store(push("after"))).isEqualTo(new Stored(2, false));
        }
    }

    @Test
    void whoWaitsHearsThatMemoryRanOut() {
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("before"));
            log.disk.starve();
            assertThatThrownBy(() -> answers.store(push("lost"))).hasCauseInstanceOf(JournalException.class);
            log.disk.mend();
            Eventually.until(journal::writable);

            assertThat(answers.store(push("after"))).isEqualTo(new Stored(2, false));
            assertThat(LogUnderTest.texts(journal)).containsExactly("before", "after");
        }
    }

    @Test
    void aSegmentIsCutBackToWhatIsDurable() throws Exception {
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("before"));
            long durable = Files.size(log.segments().get(0));
            log.disk.breakWrites(100);
            assertThatThrownBy(() -> answers.store(push("x".repeat(1_000)))).isNotNull();
            Eventually.until(() -> log.segments().get(0).toFile().length() == durable);
            log.disk.mend();
            Eventually.until(journal::writable);

            assertThat(answers.store(push("after"))).isEqualTo(new Stored(2, false));
            assertThat(LogUnderTest.texts(journal)).containsExactly("before", "after");
        }
    }

    @Test
    void whatCouldNotBeCutOffDoesNotCount() throws Exception {
        byte[] doubtful;
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("before"));
            answers.store(push("doubtful"));
            // The killed process's file goes on past what the next segment says.
            doubtful = Files.readAllBytes(log.segments().get(0));
        }
        LogUnderTest uncut = new LogUnderTest(directory.resolve("uncut"));
        try (LogJournal journal = uncut.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("before"));
            uncut.disk.breakSyncs();
            assertThatThrownBy(() -> answers.store(push("doubtful"))).isNotNull();
            uncut.disk.mend();
            Eventually.until(journal::writable);
            answers.store(push("other"));
        }
        Files.write(uncut.segments().get(0), doubtful);

        for (int opening = 0; opening < 2; opening++) {
            try (LogJournal journal = uncut.open(new MapDigests(), 0)) {
                assertThat(LogUnderTest.texts(journal)).containsExactly("before", "other");
                assertThat(journal.damage()).isEmpty();
                assertThat(uncut.corrupt()).isZero();
            }
        }
    }

    @Test
    void theGroupThatAKilledProcessLeftIsWrittenAgainBeforeItCounts() {
        LogUnderTest left;
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("one"));
            answers.store(push("two"));
            left = killed();
        }
        left.disk.breakSyncs();

        try (LogJournal journal = left.open()) {
            assertThat(journal.writable()).isFalse();
            assertThat(journal.lastSeq()).isEqualTo(1);
            assertThat(LogUnderTest.texts(journal)).containsExactly("one");
            assertThat(new AppendResults(journal).append(push("three"))).isNotNull();
            left.disk.mend();
            Eventually.until(journal::writable);

            assertThat(LogUnderTest.texts(journal)).containsExactly("one", "two");
            assertThat(new AppendResults(journal).store(push("two"))).isEqualTo(new Stored(2, true));
            assertThat(new AppendResults(journal).store(push("three"))).isEqualTo(new Stored(3, false));
        }
        assertThat(left.segments()).hasSize(2);
    }

    @Test
    void aLogThatIsKilledAgainAndAgainKeepsEverything() {
        LogUnderTest now = log;
        for (int life = 0; life < 5; life++) {
            try (LogJournal journal = now.open()) {
                AppendResults answers = new AppendResults(journal);
                answers.storeMany("life " + life + ", push ", 3);
                assertThat(LogUnderTest.seqs(journal)).hasSize(3 * (life + 1));
                now = now.copyTo(directory.resolve("life" + life));
            }
        }
        try (LogJournal journal = now.open()) {
            assertThat(LogUnderTest.texts(journal)).hasSize(15).doesNotHaveDuplicates();
            assertThat(new AppendResults(journal).store(push("life 0, push 0"))).isEqualTo(new Stored(1, true));
        }
    }

    @Test
    void aDiskThatIsFullAtTheStartIsWaitedFor() {
        try (LogJournal journal = log.open()) {
            new AppendResults(journal).storeMany("a", 3);
        }
        log.disk.breakWrites(0);

        try (LogJournal journal = log.open()) {
            assertThat(journal.writable()).isFalse();
            assertThat(LogUnderTest.texts(journal)).containsExactly("a0", "a1", "a2");
            assertThatThrownBy(() -> new AppendResults(journal).store(push("early")))
                    .hasCauseInstanceOf(JournalException.class);
            log.disk.mend();
            Eventually.until(journal::writable);

            assertThat(new AppendResults(journal).store(push("after"))).isEqualTo(new Stored(4, false));
        }
    }

    @Test
    void aSegmentDoesNotCountBeforeItsDirectoryIsSynced() {
        log.disk.breakDirectorySyncs();
        try (LogJournal journal = log.open()) {
            assertThat(journal.writable()).isFalse();
            assertThatThrownBy(() -> new AppendResults(journal).store(push("early")))
                    .hasCauseInstanceOf(JournalException.class);
            log.disk.mend();
            Eventually.until(journal::writable);

            assertThat(new AppendResults(journal).store(push("after"))).isEqualTo(new Stored(1, false));
        }
    }

    @Test
    void aSegmentThatCannotBeFollowedByTheNextIsWrittenToOn() {
        int stored;
        log.withSegmentsOf(500);
        try (LogLines lines = LogLines.atWarn();
                LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.store(push("first"));
            long start = System.nanoTime();
            log.disk.breakNewFiles();
            Counter failures = log.registry().get("holdfast.journal.failures").counter();
            String line = "a new segment after " + log.segments().get(0).getFileName() + ", and goes on in that one: ";
            Eventually.until(() -> {
                storeNext(journal, answers);
                double tried = failures.count();
                // Once this one is stored, what had failed before is told.
                storeNext(journal, answers);
                return tried
                        > lines.lines().stream()
                                .filter(told -> told.contains(line))
                                .count();
            });
            assertThat(lines.text()).contains(line);
            assertThat(journal.notice()).contains(line);
            assertThat(journal.writable()).isTrue();
            assertThat(failures.count())
                    .as("tried once a second")
                    .isLessThanOrEqualTo(1.0 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
            stored = answers.all().size();
        }
        log.disk.mend();
        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal)).hasSize(stored);
            assertThat(journal.damage()).isEmpty();
        }
    }

    private static void storeNext(LogJournal journal, AppendResults answers) {
        long next = journal.lastSeq() + 1;
        assertThat(answers.store(push("push " + next))).isEqualTo(new Stored(next, false));
    }

    @Test
    void onceTheNextSegmentMayBeThereNothingIsWrittenToTheOneBefore() {
        log.withSegmentsOf(500);
        int stored = 0;
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            log.disk.breakDirectorySyncs();
            while (journal.writable()) {
                answers.append(push("push " + answers.all().size()));
                Eventually.until(() -> answers.all().stream().allMatch(CompletableFuture::isDone));
            }
            log.disk.mend();
            Eventually.until(journal::writable);
            answers.store(push("after"));
            stored = (int) answers.all().stream()
                    .filter(answer -> !answer.isCompletedExceptionally())
                    .count();
        }
        try (LogJournal journal = log.open()) {
            assertThat(LogUnderTest.seqs(journal)).hasSize(stored);
            assertThat(journal.damage()).isEmpty();
            assertThat(log.corrupt()).isZero();
        }
    }

    @Test
    void readingGoesOnWhileTheDiskTakesNothing() {
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            answers.storeMany("a", 100);
            log.disk.breakWrites(0);
            assertThatThrownBy(() -> answers.store(push("lost"))).isNotNull();

            assertThat(journal.read(1, 200, Long.MAX_VALUE)).hasSize(100);
            assertThat(journal.get(50)).isPresent();
        }
    }

    @Test
    void aReaderThatIsInterruptedEndsNoOther() {
        try (LogJournal journal = log.open()) {
            new AppendResults(journal).storeMany("a", 100);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> journal.read(1, 200, Long.MAX_VALUE)).isInstanceOf(JournalException.class);
            assertThat(Thread.interrupted()).isTrue();

            assertThat(journal.read(1, 200, Long.MAX_VALUE)).hasSize(100);
            assertThat(new AppendResults(journal).store(push("b"))).isEqualTo(new Stored(101, false));
        }
    }

    @Test
    void aDiskThatHangsIsNotWritable() {
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            log.disk.hang();
            CompletableFuture<Stored> held = answers.append(push("held"));

            try {
                Eventually.until(() -> !journal.writable());
                assertThat(held).isNotDone();
            } finally {
                // Or the closing would wait for ever.
                log.disk.mend();
            }

            assertThat(within(held)).isEqualTo(new Stored(1, false));
            Eventually.until(journal::writable);
        }
    }

    @Test
    void norIsOneThatHangsWhileTheNextSegmentIsBegun() {
        try (LogJournal journal = log.open()) {
            new AppendResults(journal).store(push("old"));
            log.disk.hang();
            CompletionStage<Void> removed = journal.removeBelow(2);

            try {
                Eventually.until(() -> !journal.writable());
            } finally {
                // Or the closing would wait for ever.
                log.disk.mend();
            }

            within(removed.toCompletableFuture());
            Eventually.until(journal::writable);
        }
    }

    @Test
    void errorsOfThoseWhoWaitDoNotReachTheJournal() {
        try (LogJournal journal = log.open()) {
            journal.follow(pushes -> {
                throw new StackOverflowError("thrown by the follower");
            });
            List<PushRecord> followed = new CopyOnWriteArrayList<>();
            journal.follow(followed::addAll);
            journal.append(push("first"), outcome(() -> {
                throw new NoClassDefFoundError("thrown by an outcome");
            }));
            AppendResults answers = new AppendResults(journal);

            assertThat(answers.store(push("second"))).isEqualTo(new Stored(2, false));
            assertThat(answers.store(push("third"))).isEqualTo(new Stored(3, false));
            assertThat(journal.writable()).isTrue();
            Eventually.until(() -> followed.size() == 3);
        }
    }

    @Test
    void aJournalWhoseThreadIsEndedFromOutsideSaysSo() {
        try (LogLines lines = LogLines.atWarn();
                LogJournal journal = log.open()) {
            journal.append(push("first"), outcome(() -> Thread.currentThread().interrupt()));

            Eventually.until(() -> !journal.writable());
            assertThatThrownBy(() -> new AppendResults(journal).store(push("second")))
                    .hasCauseInstanceOf(JournalException.class);
            assertThat(lines.text()).contains("ends although the journal was not closed");
        }
    }

    @Test
    void aNoteIsDurableByItselfAndTheNewestComesBack() {
        LogUnderTest left;
        try (LogJournal journal = log.open()) {
            assertThat(journal.lastNote()).isEmpty();
            new AppendResults(journal).store(push("one"));
            long before = journal.size();
            journal.note(bytes("older"));
            Eventually.until(() -> journal.size() > before);
            long older = journal.size();
            journal.note(bytes("newer"));
            Eventually.until(() -> journal.size() > older);
            left = killed();
        }
        try (LogJournal journal = left.open()) {
            assertThat(journal.lastNote()).hasValue(bytes("newer"));
            assertThat(LogUnderTest.texts(journal)).containsExactly("one");
        }
        try (LogJournal journal = log.open()) {
            assertThat(journal.lastNote()).hasValue(bytes("newer"));
        }
    }

    @Test
    void theNewestSegmentAlwaysHasTheNote() throws Exception {
        log.withSegmentsOf(2_000);
        try (LogJournal journal = log.open()) {
            journal.note(bytes("noted"));
            AppendResults answers = new AppendResults(journal);
            for (int i = 0; i < 100; i++) {
                answers.store(push("push " + i));
            }
        }
        List<Path> segments = log.segments();
        assertThat(segments).hasSizeGreaterThan(3);
        for (Path older : segments.subList(0, segments.size() - 1)) {
            Files.delete(older);
        }
        try (LogJournal journal = log.open()) {
            assertThat(journal.lastNote()).hasValue(bytes("noted"));
        }
    }

    @Test
    void aNoteThatComesWhileNothingCanBeWrittenIsInTheNextSegment() {
        LogUnderTest left;
        try (LogJournal journal = log.open()) {
            AppendResults answers = new AppendResults(journal);
            log.disk.breakWrites(0);
            assertThatThrownBy(() -> answers.store(push("lost"))).hasCauseInstanceOf(JournalException.class);
            journal.note(bytes("noted"));
            // Behind the note, which was refused by then.
            assertThatThrownBy(() -> answers.store(push("lost"))).hasCauseInstanceOf(JournalException.class);
            log.disk.mend();
            Eventually.until(journal::writable);
            left = killed();
        }
        try (LogJournal journal = left.open()) {
            assertThat(journal.lastNote()).hasValue(bytes("noted"));
        }
    }

    @Test
    void onlyTheOwnerMayReadWhatIsKept() throws Exception {
        log.withSegmentsOf(500);
        try (LogJournal journal = log.open()) {
            new AppendResults(journal).storeMany("a", 50);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("log"))))
                .isEqualTo("rwx------");
        try (var files = Files.list(directory.resolve("log"))) {
            assertThat(files)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Journal.Outcome outcome(Runnable told) {
        return new Journal.Outcome() {
            @Override
            public void stored(long seq, boolean duplicate) {
                told.run();
            }

            @Override
            public void failed(JournalException cause) {
                told.run();
            }
        };
    }
}
