package dev.holdfast.journal;

import static dev.holdfast.journal.Answers.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LogLines;
import dev.holdfast.journal.Answers.Stored;
import dev.holdfast.push.PushRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk fails, and files are torn: what was acknowledged stays, and nothing is acknowledged that was not stored. */
class JournalFaultsTest {
    @TempDir
    private Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void afterAFailedWriteNothingIsAcknowledgedUntilTheJournalIsOpenAgain() {
        BrokenJournal broken = BrokenJournal.open(directory, registry);
        try (Journal journal = broken.journal()) {
            Answers answers = new Answers(journal);
            answers.storeMany("before", 10);
            int attempts = broken.attempts();
            CompletableFuture<Boolean> writable = new CompletableFuture<>();
            CompletableFuture<CompletableFuture<Stored>> next = new CompletableFuture<>();
            broken.breakWrites();

            // On the journal's own thread, which can't open it again meanwhile.
            journal.append(push("lost"), outcome(() -> {
                writable.complete(journal.writable());
                next.complete(answers.append(push("also lost")));
            }));

            assertThat(Answers.within(writable)).isFalse();
            assertThatThrownBy(() -> Answers.within(Answers.within(next))).hasCauseInstanceOf(JournalException.class);
            assertThat(broken.attempts())
                    .as("writes tried, one of them on the failed handle")
                    .isEqualTo(attempts + 1);

            broken.mend();
            Answers.await(journal::writable);
            assertThat(answers.store(push("after"))).isEqualTo(new Stored(11, false));
            assertThat(registry.get("holdfast.journal.failures").counter().count())
                    .isEqualTo(1);
        }
    }

    @Test
    void allThatWaitsFailsTogetherWithTheWrite() {
        BrokenJournal broken = BrokenJournal.open(directory, registry);
        try (Journal journal = broken.journal()) {
            Answers answers = new Answers(journal);
            broken.breakWrites();
            for (int i = 0; i < 1_000; i++) {
                answers.append(push("lost" + i));
            }
            CompletableFuture<Void> cursor = journal.saveCursor("one", 1).toCompletableFuture();

            Answers.await(() -> answers.all().stream().allMatch(CompletableFuture::isDone) && cursor.isDone());
            assertThat(answers.all()).allMatch(CompletableFuture::isCompletedExceptionally);
        }
    }

    @Test
    void afterAFailedSyncThePushMayTurnUpButWasNotAcknowledged() {
        BrokenJournal broken = BrokenJournal.open(directory, registry);
        try (Journal journal = broken.journal()) {
            Answers answers = new Answers(journal);
            broken.breakSyncs();
            assertThatThrownBy(() -> answers.store(push("doubtful"))).hasCauseInstanceOf(JournalException.class);
            broken.mend();
            Answers.await(journal::writable);

            assertThat(journal.lastSeq()).isEqualTo(1);
            assertThat(answers.store(push("doubtful"))).isEqualTo(new Stored(1, true));
            assertThat(answers.store(push("after"))).isEqualTo(new Stored(2, false));
        }
    }

    @Test
    void readingDuringAFailureIsRefusedNotFatal() {
        BrokenJournal broken = BrokenJournal.open(directory, registry);
        try (Journal journal = broken.journal()) {
            new Answers(journal).storeMany("a", 100);
            broken.breakWrites();
            List<Journal> readers = List.of(journal, journal, journal);

            readers.parallelStream().forEach(JournalFaultsTest::readUntilRefused);
            broken.mend();
            Answers.await(journal::writable);

            assertThat(journal.read(1, 200, Long.MAX_VALUE)).hasSize(100);
        }
    }

    /** Has it fail again and again: it is opened again before one that is slow has looked. */
    private static void readUntilRefused(Journal journal) {
        Answers answers = new Answers(journal);
        Answers.await(() -> {
            answers.append(push("lost"));
            try {
                journal.read(1, 10, Long.MAX_VALUE);
                return false;
            } catch (JournalException refused) {
                return true;
            }
        });
        Answers.await(() -> answers.all().stream().allMatch(CompletableFuture::isCompletedExceptionally));
    }

    @Test
    void aDiskThatHangsIsNotWritable() {
        BrokenJournal broken = BrokenJournal.open(directory, registry);
        try (Journal journal = broken.journal()) {
            Answers answers = new Answers(journal);
            broken.hangWrites();
            CompletableFuture<Stored> held = answers.append(push("held"));

            try {
                Answers.await(() -> !journal.writable());
                assertThat(held).isNotDone();
            } finally {
                // Or the closing would wait for ever.
                broken.mend();
            }

            assertThat(Answers.within(held)).isEqualTo(new Stored(1, false));
            Answers.await(journal::writable);
        }
    }

    @Test
    void errorsOfThoseWhoWaitDoNotReachTheJournal() {
        try (Journal journal = RocksJournal.open(directory, registry)) {
            journal.follow(pushes -> {
                throw new StackOverflowError("thrown by the follower");
            });
            journal.append(push("first"), outcome(() -> {
                throw new NoClassDefFoundError("thrown by an outcome");
            }));
            Answers answers = new Answers(journal);

            assertThat(answers.store(push("second"))).isEqualTo(new Stored(2, false));
            assertThat(answers.store(push("third"))).isEqualTo(new Stored(3, false));
            assertThat(journal.writable()).isTrue();
        }
    }

    @Test
    void aJournalWhoseThreadIsEndedFromOutsideSaysSo() {
        try (LogLines lines = LogLines.atWarn();
                Journal journal = RocksJournal.open(directory, registry)) {
            journal.append(push("first"), outcome(() -> Thread.currentThread().interrupt()));

            Answers.await(() -> !journal.writable());
            assertThatThrownBy(() -> new Answers(journal).store(push("second")))
                    .hasCauseInstanceOf(JournalException.class);
            assertThat(lines.text()).contains("ends though nobody closes the journal");
        }
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

    @Test
    void aProbeThatAKilledProcessLeftBehindGoes() throws IOException {
        Path probe = Files.createFile(directory.resolve("direct123.probe"));

        RocksJournal.open(directory, registry).close();

        assertThat(probe).doesNotExist();
    }

    @Test
    void aDirectoryThatCouldNotBeOpenedIsOpenedOnceItCan() throws IOException {
        Path inTheWay = Files.createDirectory(directory.resolve("acknowledged"));
        assertThatThrownBy(() -> RocksJournal.open(directory, registry)).isInstanceOf(JournalException.class);
        Files.delete(inTheWay);

        store(1);
    }

    @Test
    void aLogThatEndsInTheMiddleOfAWriteCostsOnlyThatWrite() throws IOException {
        store(100);
        Path log = newest(".log");
        byte[] bytes = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(bytes, bytes.length - 3));
        // Not acknowledged either: the process died inside that write.
        Files.delete(directory.resolve("acknowledged"));

        try (Journal journal = RocksJournal.open(directory, registry)) {
            assertThat(journal.lastSeq()).isEqualTo(99);
            assertThat(new Answers(journal).store(push("after"))).isEqualTo(new Stored(100, false));
        }
    }

    @Test
    void aLogWithNonsenseAtItsEndIsRead() throws IOException {
        store(100);
        Path log = newest(".log");
        Files.write(
                log,
                "nonsense, and longer than the header of a record".getBytes(StandardCharsets.US_ASCII),
                StandardOpenOption.APPEND);

        try (Journal journal = RocksJournal.open(directory, registry)) {
            assertThat(journal.lastSeq()).isEqualTo(100);
        }
    }

    @Test
    void acknowledgedPushesThatTheLogLostAreReported() throws IOException {
        store(100);
        flip(newest(".log"), 0.5);

        try (Journal journal = RocksJournal.open(directory, registry)) {
            int kept = journal.read(1, 200, Long.MAX_VALUE).size();
            assertThat(kept).isBetween(1, 99);
            assertThat(corrupt()).isEqualTo(100.0 - kept);
            assertThat(journal.read(kept + 2, 200, Long.MAX_VALUE)).isEmpty();
            assertThat(journal.get(100)).isEmpty();
            assertThat(corrupt())
                    .as("counted when read again, from within the gap")
                    .isEqualTo(100.0 - kept);
        }
    }

    @Test
    void positionsThatWereAcknowledgedAreNeverGivenToOtherPushes() throws IOException {
        store(100);
        flip(newest(".log"), 0.5);

        try (Journal journal = RocksJournal.open(directory, registry)) {
            assertThat(new Answers(journal).store(push("after"))).isEqualTo(new Stored(101, false));
        }
    }

    @Test
    void positionsThatAConsumerHasPassedAreNeverGivenToOtherPushes() {
        try (Journal journal = RocksJournal.open(directory, registry)) {
            Answers.within(journal.saveCursor("one", 50).toCompletableFuture());
        }
        try (Journal journal = RocksJournal.open(directory, registry)) {
            assertThat(new Answers(journal).store(push("after"))).isEqualTo(new Stored(51, false));
        }
    }

    @Test
    void aFlippedBitInAFileIsReportedAndPassedOver() throws IOException {
        store(100);
        RocksJournal.open(directory, new SimpleMeterRegistry()).close();
        flip(largest(".sst"), 0.5);

        try (Journal journal = RocksJournal.open(directory, registry)) {
            List<PushRecord> read = journal.read(1, 200, Long.MAX_VALUE);

            assertThat(read).isNotEmpty().hasSizeLessThan(100);
            assertThat(corrupt()).isEqualTo(100.0 - read.size());
            assertThat(new Answers(journal).store(push("after"))).isEqualTo(new Stored(101, false));
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> RocksJournal.open(file, registry))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(file.toString());
    }

    /** Pushes of some kilobytes, each in a write of its own. */
    private void store(int count) {
        try (Journal journal = RocksJournal.open(directory, new SimpleMeterRegistry())) {
            Answers answers = new Answers(journal);
            List<Long> stored = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                stored.add(answers.store(push(i + "x".repeat(3_000))).seq());
            }
            assertThat(stored).hasSize(count);
        }
    }

    private double corrupt() {
        return registry.get("holdfast.journal.corrupt").counter().count();
    }

    private static void flip(Path file, double where) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) (bytes.length * where)] ^= 4;
        Files.write(file, bytes);
    }

    private Path newest(String suffix) throws IOException {
        return pick(suffix, Comparator.comparing(Path::getFileName));
    }

    private Path largest(String suffix) throws IOException {
        return pick(suffix, Comparator.comparing(file -> file.toFile().length()));
    }

    private Path pick(String suffix, Comparator<Path> order) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .max(order)
                    .orElseThrow();
        }
    }
}
