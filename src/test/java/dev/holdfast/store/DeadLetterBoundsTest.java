package dev.holdfast.store;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.store.StoreUnderTest.letter;
import static dev.holdfast.store.StoreUnderTest.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LogLines;
import dev.holdfast.SetClock;
import dev.holdfast.WhenLogged;
import dev.holdfast.config.DeadLettersConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class DeadLetterBoundsTest {
    private static final long NOW = 1_000_000;

    @TempDir
    private Path data;

    private final SetClock clock = new SetClock(Instant.ofEpochMilli(NOW));
    private StoreUnderTest test;

    @BeforeEach
    void open() {
        test = StoreUnderTest.in(data, new DeadLettersConfig(5, Duration.ofMillis(100)), clock);
    }

    @AfterEach
    void close() {
        test.close();
    }

    private void reopen() {
        close();
        open();
    }

    private DeadLetters letters() {
        return test.store.deadLetters();
    }

    private void save(String consumer, long seq, long at) {
        within(letters().save(letter(consumer, seq, at)));
    }

    private double evicted(String cause) {
        return test.registry
                .get("holdfast.store.dead.letters.evicted")
                .tag("consumer", "mine")
                .tag("cause", cause)
                .counter()
                .count();
    }

    @Test
    void countAndBytesAreKnownAfterReopening() {
        save("mine", 1, NOW);
        save("mine", 2, NOW);
        save("min", 3, NOW);
        long bytes = letters().bytes("mine");
        save("mine", 2, NOW + 1);
        reopen();

        assertThat(letters().count("mine")).isEqualTo(2);
        assertThat(letters().count("min")).isEqualTo(1);
        assertThat(letters().bytes("mine")).isEqualTo(bytes).isGreaterThan(2 * 6);
        within(letters().remove("mine", 1));
        within(letters().remove("mine", 1));
        within(letters().remove("mine", 2));
        assertThat(letters().count("mine")).isZero();
        assertThat(letters().bytes("mine")).isZero();
        assertThat(test.letters("mine")).isEmpty();
        assertThat(test.letters("min")).containsExactly(3L);
    }

    @Test
    void positionsAreKnownWithoutALookAtTheLetters() {
        save("min", 4, NOW);
        save("mine", 1, NOW);
        save("mine", 2, NOW);
        save("mine", 3, NOW);
        close();
        StoreUnderTest.put(
                data, group -> group.put(ColumnFamily.DEAD_LETTERS, DeadLetterForm.key("mine", 3), new byte[1]));
        open();

        assertThat(letters().positions("mine", 2)).containsExactly(2L, 3L);
        assertThat(letters().positions("mine", 4)).isEmpty();
        assertThat(test.count("holdfast.store.corrupt")).isZero();
    }

    @Test
    void whereThereAreTooManyThoseThatFailedLongestAgoGo() {
        try (LogLines lines = LogLines.atWarn()) {
            for (long seq = 1; seq <= 5; seq++) {
                save("mine", seq, NOW + 10 - seq);
            }
            save("other", 1, NOW);
            save("mine", 5, NOW + 20);

            save("mine", 6, NOW + 21);
            save("mine", 7, NOW + 22);

            assertThat(test.letters("mine")).containsExactly(1L, 2L, 5L, 6L, 7L);
            assertThat(letters().count("mine")).isEqualTo(5);
            assertThat(letters().count("other")).isEqualTo(1);
            assertThat(evicted("count")).isEqualTo(2);
            assertThat(lines.text()).contains("mine: 1 of its dead letters given up, for their count");
        }
    }

    @Test
    void whoWaitsHearsOfAGroupThatIsDurableWhenNotAllHaveTakenItIn() {
        for (long seq = 1; seq <= 5; seq++) {
            save("mine", seq, NOW + seq);
        }
        try (WhenLogged error = WhenLogged.outOfMemory(RocksDeadLetters.class, "given up")) {
            assertThatThrownBy(() -> save("mine", 6, NOW + 6)).hasRootCauseInstanceOf(OutOfMemoryError.class);
            assertThat(error.isDone()).isTrue();
        }

        eventually(() -> assertThat(test.store.writable()).isTrue());
        assertThat(test.letters("mine")).containsExactly(2L, 3L, 4L, 5L, 6L);
        save("mine", 7, NOW + 7);
        assertThat(test.letters("mine")).containsExactly(3L, 4L, 5L, 6L, 7L);
        assertThat(letters().count("mine")).isEqualTo(5);
    }

    @Test
    void thoseThatComeInOneGroupAreBoundedByTheNext() {
        List<CompletionStage<Void>> saved = new ArrayList<>();
        for (long seq = 1; seq <= 50; seq++) {
            saved.add(letters().save(letter("mine", seq, NOW + seq)));
        }
        saved.forEach(StoreUnderTest::within);

        save("mine", 51, NOW + 51);

        assertThat(test.letters("mine")).containsExactly(47L, 48L, 49L, 50L, 51L);
        assertThat(letters().count("mine")).isEqualTo(5);
    }

    /** Each of them was looked for among all that had gone before: half a minute for these, in which nobody else came to the store. */
    @Test
    void manyAtTheirBoundHoldUpNobody() {
        List<CompletionStage<Void>> saved = new ArrayList<>();
        for (long seq = 1; seq <= 30_000; seq++) {
            saved.add(letters().save(letter("mine", seq, NOW + seq)));
        }
        test.checkpoint("other", 1, List.of(), List.of());
        saved.forEach(StoreUnderTest::within);

        save("mine", 30_001, NOW + 30_001);

        assertThat(test.letters("mine")).containsExactly(29_997L, 29_998L, 29_999L, 30_000L, 30_001L);
    }

    /** All went in one write: twelve seconds for 99,000 of them, in which nobody else came to the store. */
    @Test
    void whereTheBoundWasLoweredTheyGoAPortionAtATime() {
        close();
        test = StoreUnderTest.in(data, new DeadLettersConfig(10_000, Duration.ofDays(1)), clock);
        saveAll(1, 2_500);
        reopen();

        save("mine", 2_501, NOW + 2_501);
        assertThat(letters().count("mine")).isEqualTo(1_501);
        letters().expire();
        save("mine", 2_502, NOW + 2_502);

        assertThat(test.letters("mine")).containsExactly(2_498L, 2_499L, 2_500L, 2_501L, 2_502L);
        assertThat(letters().count("mine")).isEqualTo(5);
    }

    @Test
    void oneThatFailedBeforeThoseThatWentGoesNext() {
        for (long seq = 1; seq <= 7; seq++) {
            save("mine", seq, NOW + seq);
        }
        assertThat(test.letters("mine")).containsExactly(3L, 4L, 5L, 6L, 7L);

        save("mine", 8, NOW);
        assertThat(test.letters("mine")).containsExactly(4L, 5L, 6L, 7L, 8L);
        save("mine", 9, NOW + 9);
        assertThat(test.letters("mine")).containsExactly(4L, 5L, 6L, 7L, 9L);
    }

    /** The store failed with each group that met one, and so with all else in it. */
    @Test
    void thoseWhoseBytesAreWrongGoAsOthersDo() {
        for (long seq = 1; seq <= 5; seq++) {
            save("mine", seq, NOW + seq);
        }
        close();
        StoreUnderTest.put(data, group -> {
            for (long seq = 1; seq <= 3; seq++) {
                group.put(ColumnFamily.DEAD_LETTERS, DeadLetterForm.key("mine", seq), new byte[1]);
            }
        });
        open();

        save("mine", 2, NOW + 6);
        within(letters().discard("mine", 3, "unreadable"));
        save("mine", 7, NOW + 7);
        save("mine", 8, NOW + 8);

        assertThat(test.letters("mine")).containsExactly(2L, 4L, 5L, 7L, 8L);
        assertThat(letters().count("mine")).isEqualTo(5);
        assertThat(letters().oldestAt("mine")).isEqualTo(NOW + 4);
        assertThat(letters().discards(null, 10))
                .containsExactlyInAnyOrder(
                        new Discard("mine", 1, "", NOW, "given up: max-count"),
                        new Discard("mine", 3, "", NOW, "unreadable"));
        assertThat(test.count("holdfast.store.failures")).isZero();
        assertThat(test.count("holdfast.store.corrupt")).isEqualTo(3);
    }

    @Test
    void thoseThatAreTooOldGo() {
        save("mine", 1, NOW);
        save("mine", 2, NOW - 101);
        save("mine", 3, NOW - 200);
        save("mine", 4, NOW - 99);

        letters().expire();
        save("mine", 5, NOW);

        assertThat(test.letters("mine")).containsExactly(1L, 4L, 5L);
        assertThat(evicted("age")).isEqualTo(2);
    }

    @Test
    void theReasonOfADiscardIsKept() {
        save("mine", 1, NOW);
        save("mine", 2, NOW);

        within(letters().discard("mine", 2, "a test of ours"));
        within(letters().discard("mine", 3, "was never there"));
        reopen();

        assertThat(test.letters("mine")).containsExactly(1L);
        assertThat(letters().discards(null, 10))
                .containsExactly(new Discard("mine", 2, "client.created", NOW, "a test of ours"));
    }

    /** All of it is in one write, and undone with it. */
    @Test
    void whatAFailedWriteGaveUpIsGivenUpAndCountedByTheNext() {
        for (long seq = 1; seq <= 5; seq++) {
            save("mine", seq, NOW + seq);
        }
        clock.advance(Duration.ofMillis(200));
        failOnce(() -> letters().expire());

        letters().expire();
        within(letters().remove("mine", 1));

        assertThat(test.letters("mine")).isEmpty();
        assertThat(evicted("age")).isEqualTo(5);
    }

    private void failOnce(Runnable write) {
        test.failure.set(new RocksDBException("IO error: No space left on device: while appending"));
        write.run();
        eventually(() -> assertThat(test.count("holdfast.store.failures")).isPositive());
        test.failure.set(null);
        eventually(() -> assertThat(test.store.writable()).isTrue());
    }

    @Test
    void theOldestDiscardsAreForgottenAlsoWhenAWriteOfThatFailedAndTheClockWasPutBack() {
        discard(0, 11);
        save("mine", 11_000, NOW);
        failOnce(() -> letters().discard("mine", 11_000, "enough"));
        discard(11, 12);
        assertThat(letters().discards(null, 20_000)).hasSizeBetween(10_000, 11_000);
        assertThat(letters().discardsOf(1)).isEmpty();
        assertThat(letters().discards(null, 1)).hasSize(1);

        clock.advance(Duration.ofMinutes(-10));
        discard(12, 24);
        assertThat(letters().discards(null, 20_000)).hasSizeBetween(10_000, 11_000);
    }

    private void discard(int from, int to) {
        for (int portion = from; portion < to; portion++) {
            List<CompletionStage<?>> done = new ArrayList<>();
            for (long seq = 1; seq <= 1_000; seq++) {
                done.add(letters().save(letter("mine", portion * 1_000L + seq, NOW)));
                done.add(letters().discard("mine", portion * 1_000L + seq, "enough"));
            }
            done.forEach(StoreUnderTest::within);
        }
    }

    @Test
    void whatABoundGaveUpIsRememberedAsThat() {
        save("mine", 1, NOW - 200);
        letters().expire();
        for (long seq = 2; seq <= 7; seq++) {
            save("mine", seq, NOW + seq);
        }

        assertThat(letters().discards(null, 10))
                .containsExactlyInAnyOrder(
                        new Discard("mine", 1, "client.created", NOW, "given up: max-age"),
                        new Discard("mine", 2, "client.created", NOW, "given up: max-count"));
        assertThat(letters().discardsOf(2)).hasSize(1);
        assertThat(letters().discardsOf(3)).isEmpty();
    }

    @Test
    void thousandsThatABoundGaveUpTakeNobodysReasonAway() {
        save("mine", 1, NOW);
        within(letters().discard("mine", 1, "by hand"));
        for (int portion = 0; portion < 14; portion++) {
            saveAll(2 + portion * 1_000L, 1_001 + portion * 1_000L);
        }
        reopen();
        saveAll(15_001, 16_000);
        save("mine", 16_001, NOW + 16_001);

        List<Discard> all = letters().discards(null, 30_000);
        assertThat(all)
                .filteredOn(discard -> discard.reason().equals("by hand"))
                .hasSize(1);
        assertThat(all).hasSizeBetween(10_000, 12_100);
        assertThat(all.get(0).seq()).isGreaterThan(15_000);
        assertThat(letters().discardsOf(2)).isEmpty();
    }

    private void saveAll(long from, long to) {
        List<CompletionStage<Void>> saved = new ArrayList<>();
        for (long seq = from; seq <= to; seq++) {
            saved.add(letters().save(letter("mine", seq, NOW + seq)));
        }
        saved.forEach(StoreUnderTest::within);
    }
}
