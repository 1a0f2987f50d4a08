package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.journal.AppendResults.Stored;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Duplicates are found wherever their digest is: in memory, in the store, or only in the log. */
class DuplicateIndexTest {
    private static final int AT_ONCE = 10_000;
    private static final int MANY = DuplicateIndex.PORTION + 5_000;

    @TempDir
    private Path directory;

    private LogUnderTest log;

    @BeforeEach
    void log() {
        log = new LogUnderTest(directory).withSegmentsOf(4 << 20);
    }

    private static void store(LogJournal journal, int from, int to) {
        // No more at once than may wait.
        for (int next = from; next < to; next += AT_ONCE) {
            storeAtOnce(journal, next, Math.min(to, next + AT_ONCE));
        }
    }

    private static void storeAtOnce(LogJournal journal, int from, int to) {
        AppendResults answers = new AppendResults(journal);
        List<CompletableFuture<Stored>> stored = IntStream.range(from, to)
                .mapToObj(n -> answers.append(push("push " + n)))
                .toList();
        stored.forEach(AppendResults::within);
    }

    private static Stored again(LogJournal journal, int n) {
        return new AppendResults(journal).store(push("push " + n));
    }

    @Test
    void thoseThatNoLongerFitIntoMemoryAreFoundInTheStore() {
        try (LogJournal journal = log.open()) {
            store(journal, 0, MANY);
            Eventually.until(() -> log.digests.upTo() >= DuplicateIndex.PORTION);
            // Only the next full portion looks whether the older ones are stored.
            store(journal, MANY, 2 * MANY);
            Eventually.until(() -> log.digests.upTo() >= 2 * DuplicateIndex.PORTION);
            store(journal, 2 * MANY, 3 * MANY);

            assertThat(again(journal, 7)).isEqualTo(new Stored(8, true));
            assertThat(log.digests.lookUps()).isPositive();
            assertThat(again(journal, 3 * MANY - 1)).isEqualTo(new Stored(3 * MANY, true));
        }
    }

    @Test
    void whereTheIndexFindsNoMemoryWhatIsStoredIsStillAnswered() {
        try (LogJournal journal = log.open()) {
            log.digests.starve(true);

            store(journal, 0, MANY);

            log.digests.starve(false);
            assertThat(again(journal, 7)).isEqualTo(new Stored(8, true));
        }
    }

    @Test
    void afterAnOpeningTheStoreIsSparedFromWhatItDoesNotHold() {
        try (LogJournal journal = log.open()) {
            store(journal, 0, MANY);
        }
        assertThat(log.digests.upTo()).isEqualTo(MANY);

        try (LogJournal journal = log.open()) {
            // As soon as the filters have been filled in the background.
            int[] n = {MANY};
            Eventually.until(() -> {
                int before = log.digests.lookUps();
                store(journal, n[0], n[0] += 100);
                return log.digests.lookUps() <= before + 3;
            });
            assertThat(again(journal, 7)).isEqualTo(new Stored(8, true));
        }
    }

    @Test
    void whileTheStoreFailsPushesAreStoredAndAfterwardsItCatchesUpFromTheLog() {
        try (LogJournal journal = log.open()) {
            log.digests.fail(true);
            store(journal, 0, MANY);
            Eventually.until(() -> log.digests.refused() > 0);
            store(journal, MANY, 2 * MANY);
            assertThat(again(journal, 5)).as("kept in memory").isEqualTo(new Stored(6, true));
            log.digests.fail(false);
            store(journal, 2 * MANY, 3 * MANY);
            // Closing waits for no catching up: the next opening does it.
            Eventually.until(() -> log.digests.upTo() >= 3L * DuplicateIndex.PORTION);
        }
        assertThat(log.digests.upTo()).isEqualTo(3 * MANY);
        assertThat(log.digests.size()).isEqualTo(3 * MANY);
    }

    @Test
    void whatAStoreHoldsThatIsOpenedLateIsFound() {
        log.withSegmentsOf(4 << 10);
        try (LogJournal journal = log.open()) {
            for (int n = 0; n < 200; n += 20) {
                store(journal, n, n + 20);
            }
        }
        // So far behind that those before don't fit into memory.
        try (LogJournal journal = log.open(log.digests, 2_000_000)) {
            store(journal, 200, 201);
        }
        log.digests.openLate();
        try (LogJournal journal = log.open()) {
            store(journal, 201, 202);
            Eventually.until(() -> log.digests.addedUpTo() == 200);

            assertThat(again(journal, 150)).isEqualTo(new Stored(151, true));
        }
    }

    @Test
    void aStoreThatIsLostIsFilledAgainWhileTheGatewayRuns() {
        try (LogJournal journal = log.open()) {
            store(journal, 0, MANY);
        }
        MapDigests fresh = new MapDigests();
        try (LogJournal journal = log.open(fresh, 0)) {
            assertThat(again(journal, 7)).isEqualTo(new Stored(8, true));
            assertThat(again(journal, MANY - 7)).isEqualTo(new Stored(MANY - 6, true));
            Eventually.until(() -> fresh.upTo() >= DuplicateIndex.PORTION);
        }
        assertThat(fresh.size()).isEqualTo(MANY);
    }

    /** At positions from 1 on. */
    private static RecentDigests recent(long[] digests) {
        RecentDigests recent = new RecentDigests();
        for (int i = 0; i < digests.length; i++) {
            recent.add(digests[i], i + 1);
        }
        return recent;
    }

    @Test
    void theNewestOfSeveralPositionsIsFoundAndCanBeTakenBack() {
        long[] digests = new SplittableRandom(1).longs(10_000).toArray();
        RecentDigests recent = recent(digests);
        recent.add(digests[5], 10_001);
        assertThat(recent.find(digests[5])).isEqualTo(10_001);

        recent.removeAbove(5_000);

        for (int i = 0; i < digests.length; i++) {
            assertThat(recent.find(digests[i])).isEqualTo(i < 5_000 ? i + 1 : 0);
        }
    }

    @Test
    void clearedItHoldsNothingAndCanBeFilledAgain() {
        long[] digests = new SplittableRandom(1).longs(10_000).toArray();
        RecentDigests recent = recent(digests);

        recent.clear();

        assertThat(recent.list().count()).isZero();
        assertThat(LongStream.of(digests)).allMatch(digest -> recent.find(digest) == 0);
        recent.add(digests[7], 20_000);
        assertThat(recent.find(digests[7])).isEqualTo(20_000);
        assertThat(recent.firstSeq()).isEqualTo(20_000);
    }

    @Test
    void whatHasGoneToTheStoreIsFoundThereHoweverManyPortionsCome() {
        try (LogJournal journal = log.open()) {
            store(journal, 0, 3 * MANY);

            for (int n = 0; n < 3 * MANY; n += 997) {
                assertThat(again(journal, n)).isEqualTo(new Stored(n + 1, true));
            }
        }
    }

    @Test
    void aFilterMissesNothingAndIsSeldomWrong() {
        DigestFilter filter = new DigestFilter();
        SplittableRandom random = new SplittableRandom(1);
        long[] in = random.longs(DigestFilter.CAPACITY).toArray();
        for (long digest : in) {
            filter.add(digest, 1);
        }

        assertThat(LongStream.of(in)).allMatch(filter::mayHold);
        long wrong = random.longs(100_000).filter(filter::mayHold).count();
        assertThat(wrong).isLessThan(600);
    }

    private static DigestList one(long digest, long seq) {
        DigestList list = new DigestList();
        list.add(digest, seq);
        return list;
    }

    @Test
    void filtersKnowNothingOfWhatTheyDoNotCover() {
        DigestFilters filters = new DigestFilters(101);
        assertThat(filters.mayHold(1, 50)).isTrue();
        assertThat(filters.mayHold(1, 101)).isFalse();

        filters.addNewer(one(7, 101), 101);
        filters.addOlder(one(9, 60), 50);

        assertThat(filters.mayHold(7, 50)).isTrue();
        assertThat(filters.mayHold(9, 50)).isTrue();
        assertThat(filters.mayHold(1, 50)).isFalse();
        assertThat(filters.mayHold(1, 49)).isTrue();
    }

    @Test
    void ofWhatNoFilterHasRoomForTheStoreIsAsked() {
        DigestFilters filters = new DigestFilters(1);
        DigestList full = new DigestList();
        for (int seq = 1; seq <= DigestFilter.CAPACITY; seq++) {
            full.add(7, seq);
        }
        for (int filter = 0; filter < 4; filter++) {
            filters.addNewer(full, DigestFilter.CAPACITY);
        }
        assertThat(filters.mayHold(1, 1)).isFalse();

        filters.addNewer(full, DigestFilter.CAPACITY);

        assertThat(filters.mayHold(1, 1)).isTrue();
        assertThat(filters.mayHold(1, DigestFilter.CAPACITY + 1)).isFalse();
    }

    @Test
    void whatComesAfterTheOldOnesWentIsInAFilterThatIsAsked() {
        DigestFilters filters = new DigestFilters(1);
        filters.addNewer(one(7, 10), 10);

        filters.removeBelow(11);
        filters.addNewer(one(9, 20), 20);

        assertThat(filters.mayHold(9, 11)).isTrue();
    }
}
