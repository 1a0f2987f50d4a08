package dev.holdfast.journal;

import static dev.holdfast.journal.Answers.push;
import static dev.holdfast.journal.Answers.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.JournalConfig;
import dev.holdfast.journal.Answers.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksIterator;

class RetentionTest {
    private static final long FOREVER = Long.MAX_VALUE;

    @TempDir
    private Path directory;

    private Journal journal;
    private Answers answers;

    @BeforeEach
    void open() {
        journal = RocksJournal.open(directory, new SimpleMeterRegistry());
        answers = new Answers(journal);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    @Test
    void pushesOlderThanTheRetentionGo() {
        storeOnePerSecond(100);

        retain(Duration.ofSeconds(30), FOREVER, FOREVER, 100);

        Answers.await(() -> journal.firstSeq() == 71);
        assertThat(journal.read(1, 1, 1))
                .singleElement()
                .extracting(one -> one.seq())
                .isEqualTo(71L);
        assertThat(journal.get(70)).isEmpty();
    }

    @Test
    void whatAConsumerNeedsStaysHoweverOld() {
        storeOnePerSecond(100);

        retain(Duration.ofSeconds(1), 1, 21, 1_000);

        Answers.await(() -> journal.firstSeq() == 21);
        assertThat(journal.read(1, 1_000, Long.MAX_VALUE)).hasSize(80);
    }

    @Test
    void youngPushesInAJournalThatIsSmallEnoughStay() {
        storeOnePerSecond(100);

        retain(Duration.ofSeconds(1_000), FOREVER, FOREVER, 100);
        within(journal.saveCursor("any", 1).toCompletableFuture());

        assertThat(journal.firstSeq()).isEqualTo(1);
    }

    @Test
    void everythingMayGoAndPositionsGrowOn() {
        storeOnePerSecond(10);
        retain(Duration.ofSeconds(1), FOREVER, FOREVER, 1_000);
        Answers.await(() -> journal.firstSeq() == 11);
        assertThat(journal.read(1, 10, 100)).isEmpty();
        close();
        open();

        assertThat(journal.firstSeq()).isEqualTo(11);
        assertThat(journal.lastSeq()).isEqualTo(10);
        assertThat(answers.store(push("after"))).isEqualTo(new Stored(11, false));
    }

    @Test
    void theOldestGoWhileTheJournalIsTooLargeAndTheirSpaceComesBack() {
        storeMegabytes(200);
        long full = bytesOnDisk();
        long half = journal.size() / 2;

        Answers.await(() -> {
            retain(Duration.ofDays(1), half, FOREVER, 0);
            return bytesOnDisk() < full - 60_000_000L;
        });

        assertThat(journal.firstSeq()).isGreaterThan(1);
        assertThat(journal.read(journal.firstSeq(), 1, 1)).hasSize(1);
    }

    @Test
    void aJournalThatFitsOnceIsNotShrunkFurther() {
        storeMegabytes(100);

        for (int minute = 0; minute < 10; minute++) {
            retain(Duration.ofDays(1), 60 << 20, FOREVER, 0);
            // Behind the removal in line.
            within(journal.saveCursor("any", 1).toCompletableFuture());
        }

        assertThat(journal.firstSeq()).isBetween(30L, 52L);
        assertThat(journal.size()).isBetween(45L << 20, 60L << 20);
    }

    @Test
    void aRemovedPushIsNoLongerADuplicate() {
        answers.storeMany("a", 10);
        within(journal.removeBelow(6).toCompletableFuture());

        assertThat(answers.store(push("a2"))).isEqualTo(new Stored(11, false));
        assertThat(answers.store(push("a7"))).isEqualTo(new Stored(8, true));
        assertThat(answers.store(push("a2"))).isEqualTo(new Stored(11, true));
    }

    @Test
    void aDeadLetterOutlivesItsPush() {
        answers.storeMany("a", 3);
        DeadLetter.Failure failure = new DeadLetter.Failure(5, "it was ✗");
        DeadLetter letter = new DeadLetter("mine", journal.get(2).orElseThrow(), 7, failure, failure);
        within(journal.saveDeadLetter(letter).toCompletableFuture());
        within(journal.removeBelow(4).toCompletableFuture());
        close();
        open();

        assertThat(journal.get(2)).isEmpty();
        assertThat(journal.deadLetters("", 0, 10)).singleElement().satisfies(kept -> {
            assertThat(kept.consumer()).isEqualTo("mine");
            assertThat(kept.push().seq()).isEqualTo(2);
            assertThat(Answers.text(kept.push())).isEqualTo("a1");
            assertThat(kept.attempts()).isEqualTo(7);
            assertThat(kept.last()).isEqualTo(failure);
        });
        assertThat(journal.countDeadLetters("mine")).isEqualTo(1);
        assertThat(journal.countDeadLetters("min")).isZero();
        within(journal.removeDeadLetter("mine", 2).toCompletableFuture());
        assertThat(journal.deadLetters("mine", 0, 10)).isEmpty();
    }

    @Test
    void theDigestsOfRemovedPushesGo() {
        answers.storeMany("a", 3_000);
        within(journal.removeBelow(2_001).toCompletableFuture());

        Answers.await(() -> digests() == 1_000);
        assertThat(answers.store(push("a2500")).duplicate()).isTrue();
    }

    @Test
    void removingBeyondTheEndKeepsToTheEnd() {
        answers.storeMany("a", 3);
        within(journal.removeBelow(1_000).toCompletableFuture());

        assertThat(journal.firstSeq()).isEqualTo(4);
        assertThat(answers.store(push("b"))).isEqualTo(new Stored(4, false));
    }

    private long digests() {
        return ((RocksJournal) journal).store().reading(store -> {
            long count = 0;
            try (RocksIterator digest = store.scan(Family.DIGESTS)) {
                for (digest.seekToFirst(); digest.isValid(); digest.next()) {
                    count++;
                }
            }
            return count;
        });
    }

    private void storeOnePerSecond(int count) {
        for (int i = 0; i < count; i++) {
            answers.append(push("default", "sub_t_1", "a" + i, i * 1_000L));
        }
        answers.all().forEach(Answers::within);
    }

    private void storeMegabytes(int count) {
        List<CompletableFuture<Stored>> stored = new ArrayList<>();
        String filler = "x".repeat(1 << 20);
        for (int i = 0; i < count; i++) {
            stored.add(answers.append(push(i + filler)));
        }
        stored.forEach(Answers::within);
    }

    private void retain(Duration age, long maxSize, long neededFrom, long nowSeconds) {
        JournalConfig config = new JournalConfig(directory, age, maxSize, 0, Duration.ofSeconds(10));
        Clock clock = Clock.fixed(Instant.ofEpochSecond(nowSeconds), ZoneOffset.UTC);
        new Retention(journal, config, () -> neededFrom, clock).run();
    }

    private long bytesOnDisk() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
