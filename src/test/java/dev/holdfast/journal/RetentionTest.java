package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static dev.holdfast.journal.AppendResults.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.LogLines;
import dev.holdfast.config.JournalConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
    private static final long FOREVER = Long.MAX_VALUE;

    @TempDir
    private Path directory;

    private LogJournal journal;
    private AppendResults answers;

    @BeforeEach
    void open() {
        openWithSegmentsOf(500);
    }

    private void openWithSegmentsOf(long bytes) {
        journal = new LogUnderTest(directory).withSegmentsOf(bytes).open();
        answers = new AppendResults(journal);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    @Test
    void pushesOlderThanTheRetentionGo() {
        storeOnePerSecond(100);

        retain(Duration.ofSeconds(30), FOREVER, FOREVER, 100);

        // Some lie in a segment with younger ones.
        Eventually.until(() -> journal.firstSeq() > 60);
        assertThat(journal.firstSeq()).isLessThanOrEqualTo(71);
        assertThat(journal.read(1, 1, 1))
                .singleElement()
                .extracting(one -> one.seq())
                .isEqualTo(journal.firstSeq());
        assertThat(journal.get(60)).isEmpty();
    }

    @Test
    void whatIsOldInTheFileThatIsWrittenToGoesOnceAllOfItIsOld() {
        close();
        openWithSegmentsOf(8 << 20);
        storeOnePerSecond(100);

        retain(Duration.ofSeconds(30), FOREVER, FOREVER, 100);
        within(journal.removeBelow(1).toCompletableFuture());
        assertThat(journal.firstSeq()).isEqualTo(1);
        // It is written to no longer, so that it can go.
        assertThat(journal.extents()).hasSize(2);

        answers.store(push("default", "sub_t_1", "young", 129_000));
        retain(Duration.ofSeconds(30), FOREVER, FOREVER, 130);

        Eventually.until(() -> journal.firstSeq() == 101);
    }

    @Test
    void aJournalThatIsOldAsAWholeGoes() {
        storeOnePerSecond(100);

        retain(Duration.ofSeconds(30), FOREVER, FOREVER, 1_000);

        Eventually.until(() -> journal.firstSeq() == 101);
    }

    /** As where the machine starts with a clock that stands at the epoch until it hears of the time. */
    @Test
    void pushesOfAClockThatWasPutBackTakeNoYoungerOnesWithThem() {
        storeOnePerSecond(100);
        for (int i = 0; i < 100; i++) {
            answers.store(push("default", "sub_t_1", "epoch" + i, i));
        }

        retain(Duration.ofSeconds(30), FOREVER, FOREVER, 110);

        within(journal.removeBelow(1).toCompletableFuture());
        assertThat(journal.firstSeq()).isBetween(70L, 81L);
    }

    @Test
    void pushesOfAClockThatWasAheadGoWithTheOlderOnesBehindThem() {
        for (int i = 0; i < 20; i++) {
            answers.store(push("default", "sub_t_1", "ahead" + i, 1_000_000 + i));
        }
        storeOnePerSecond(100);
        for (int i = 0; i < 20; i++) {
            answers.store(push("default", "sub_t_1", "ahead again" + i, 1_000_000 + i));
        }

        retain(Duration.ofSeconds(30), FOREVER, FOREVER, 100);

        Eventually.until(() -> journal.firstSeq() > 80);
        assertThat(journal.firstSeq()).isLessThanOrEqualTo(91);
    }

    @Test
    void latePushesDoNotTakeYoungerOnesWithThem() {
        storeOnePerSecond(50);
        for (int i = 0; i < 50; i++) {
            answers.store(push("default", "sub_t_1", "late" + i, 0).lateAt(50_000L + i));
        }

        retain(Duration.ofSeconds(90), FOREVER, FOREVER, 100);

        within(journal.removeBelow(1).toCompletableFuture());
        assertThat(journal.firstSeq()).isLessThanOrEqualTo(11);
    }

    @Test
    void whatAConsumerNeedsStaysHoweverOld() {
        storeOnePerSecond(100);

        retain(Duration.ofSeconds(1), 1, 21, 1_000);

        Eventually.until(() -> journal.firstSeq() > 10);
        assertThat(journal.firstSeq()).isLessThanOrEqualTo(21);
        assertThat(journal.read(21, 1_000, Long.MAX_VALUE)).hasSize(80);
    }

    @Test
    void youngPushesInAJournalThatIsSmallEnoughStay() {
        storeOnePerSecond(100);

        retain(Duration.ofSeconds(1_000), FOREVER, FOREVER, 100);

        assertThat(journal.firstSeq()).isEqualTo(1);
        // Behind a removal in line, if there was one.
        within(journal.removeBelow(1).toCompletableFuture());
        assertThat(journal.firstSeq()).isEqualTo(1);
    }

    @Test
    void whenNothingCanGoYetNothingIsSaidToHaveGone() {
        storeOnePerSecond(100);
        retain(Duration.ofSeconds(30), FOREVER, FOREVER, 100);
        Eventually.until(() -> journal.firstSeq() > 60);
        // Told when the files are gone, which is before the next removal is done.
        within(journal.removeBelow(1).toCompletableFuture());

        try (LogLines lines = LogLines.atInfo()) {
            for (int minute = 0; minute < 3; minute++) {
                retain(Duration.ofSeconds(30), FOREVER, FOREVER, 100);
                within(journal.removeBelow(1).toCompletableFuture());
            }
            assertThat(lines.text()).doesNotContain("are removed");
        }
    }

    @Test
    void theOldestGoWhileTheJournalIsTooLargeAndTheirSpaceComesBack() {
        close();
        openWithSegmentsOf(8 << 20);
        storeMegabytes(100);
        long full = bytesOnDisk();
        long half = journal.size() / 2;

        Eventually.until(() -> {
            retain(Duration.ofDays(1), half, FOREVER, 0);
            return bytesOnDisk() < full - 30_000_000L;
        });

        assertThat(journal.firstSeq()).isGreaterThan(1);
        assertThat(journal.read(journal.firstSeq(), 1, 1)).hasSize(1);
    }

    @Test
    void aJournalThatFitsOnceIsNotShrunkFurther() {
        close();
        openWithSegmentsOf(8 << 20);
        storeMegabytes(100);

        for (int minute = 0; minute < 10; minute++) {
            retain(Duration.ofDays(1), 60 << 20, FOREVER, 0);
            // Behind the removal in line.
            within(journal.removeBelow(1).toCompletableFuture());
        }

        assertThat(journal.size()).isBetween(44L << 20, 69L << 20);
        assertThat(journal.lastSeq() - journal.firstSeq()).isBetween(44L, 68L);
    }

    private void storeOnePerSecond(int count) {
        for (int i = 0; i < count; i++) {
            answers.store(push("default", "sub_t_1", "a" + i, i * 1_000L));
        }
    }

    private void storeMegabytes(int count) {
        String filler = "x".repeat(1 << 20);
        for (int i = 0; i < count; i++) {
            answers.store(push(i + filler));
        }
    }

    private void retain(Duration age, long maxSize, long neededFrom, long nowSeconds) {
        JournalConfig config = new JournalConfig(directory, age, maxSize, 0, 0, Duration.ofSeconds(10));
        Clock clock = Clock.fixed(Instant.ofEpochSecond(nowSeconds), ZoneOffset.UTC);
        new Retention(journal, config, neededBy(new Backlogs.Backlog("consumer one", neededFrom, age)), clock).run();
    }

    private static Backlogs neededBy(Backlogs.Backlog one) {
        return new Backlogs() {
            @Override
            public List<Backlog> backlogs() {
                return List.of(one);
            }

            @Override
            public CompletionStage<Void> giveUp(long below) {
                throw new UnsupportedOperationException();
            }
        };
    }

    private long bytesOnDisk() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
