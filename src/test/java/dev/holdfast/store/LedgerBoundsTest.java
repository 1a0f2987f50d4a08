package dev.holdfast.store;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.store.StoreUnderTest.letter;
import static dev.holdfast.store.StoreUnderTest.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.SetClock;
import dev.holdfast.config.DeadLettersConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** Days, bounds and failed writes of the ledger, under a clock that the test sets. */
class LedgerBoundsTest {
    private static final LocalDate END = LocalDate.of(9999, 12, 31);
    private static final int ALL = 1_000_000;

    @TempDir
    private Path data;

    private final SetClock clock = new SetClock(Instant.parse("2026-03-01T23:59:59.500Z"));
    private StoreUnderTest test;

    @BeforeEach
    void open() {
        test = StoreUnderTest.in(data, new DeadLettersConfig(1, Duration.ofDays(30)), clock);
    }

    @AfterEach
    void close() {
        ledger().stopped();
        test.close();
    }

    private void reopen() {
        close();
        open();
    }

    /** As after a kill: what was not written is gone, and no stop is noted. */
    private void kill() {
        test.close();
        open();
    }

    private Ledger ledger() {
        return test.store.ledger();
    }

    private void refuse(int times) {
        for (int n = 0; n < times; n++) {
            ledger().count("signature", "default");
        }
    }

    private List<LedgerCount> counts() {
        return ledger().counts(LocalDate.EPOCH, END, ALL);
    }

    private List<LedgerStart> starts() {
        return ledger().starts(LocalDate.EPOCH, END, ALL);
    }

    private static LedgerCount refused(String day, long count) {
        return new LedgerCount(LocalDate.parse(day), "signature", "default", "", "", count, 0, 0);
    }

    /** Waits until everything handed over is durable. */
    private void written() {
        ledger().write();
        within(test.store.positions().save(new Checkpoint("barrier", 1, List.of(), List.of())));
    }

    @Test
    void eachRefusalCountsOnTheDayItWasOn() {
        refuse(3);
        clock.advance(Duration.ofMillis(499));
        refuse(1);
        clock.advance(Duration.ofMillis(1));
        refuse(2);
        assertThat(counts()).containsExactly(refused("2026-03-02", 2), refused("2026-03-01", 4));

        reopen();
        refuse(1);
        clock.advance(Duration.ofDays(1));
        refuse(5);

        assertThat(counts())
                .containsExactly(refused("2026-03-03", 5), refused("2026-03-02", 3), refused("2026-03-01", 4));
        LocalDate second = LocalDate.of(2026, 3, 2);
        assertThat(ledger().counts(second, second.plusDays(1), ALL)).containsExactly(refused("2026-03-02", 3));
        assertThat(ledger().counts(LocalDate.EPOCH, END, 2))
                .containsExactly(refused("2026-03-03", 5), refused("2026-03-02", 3));
    }

    @Test
    void aClockThatIsSetBackCountsOnWhereItWas() {
        refuse(3);
        written();
        clock.advance(Duration.ofDays(10));
        refuse(1);
        written();
        clock.advance(Duration.ofDays(-10));
        refuse(4);
        written();

        assertThat(counts()).containsExactly(refused("2026-03-11", 1), refused("2026-03-01", 7));
        reopen();
        assertThat(counts()).containsExactly(refused("2026-03-11", 1), refused("2026-03-01", 7));
    }

    @Test
    void theNewestFourHundredDaysAreKept() {
        for (int day = 0; day < 405; day++) {
            refuse(1);
            written();
            clock.advance(Duration.ofDays(1));
        }

        assertThat(counts()).hasSize(400).last().isEqualTo(refused("2026-03-06", 1));
        reopen();
        refuse(1);
        reopen();
        assertThat(counts()).hasSize(400).last().isEqualTo(refused("2026-03-07", 1));
    }

    @Test
    void theNewestThousandStartsAreKept() {
        for (int start = 0; start < 3; start++) {
            ledger().started(false);
            clock.advance(Duration.ofSeconds(10));
            reopen();
            clock.advance(Duration.ofSeconds(50));
        }
        assertThat(starts())
                .extracting(LedgerStart::downMillis, LedgerStart::lastStop)
                .containsExactly(
                        tuple(50_000L, LedgerStart.LastStop.CLEAN),
                        tuple(50_000L, LedgerStart.LastStop.CLEAN),
                        tuple(LedgerStart.UNKNOWN, LedgerStart.LastStop.NONE));
        LedgerStart first = starts().get(2);
        putStarts(4, 1_000);
        assertThat(starts()).hasSize(1_000).last().isEqualTo(first);

        ledger().started(false);
        written();

        assertThat(starts()).hasSize(1_000).doesNotContain(first);
    }

    /** As if there had been so many. */
    private void putStarts(long from, long to) {
        test.close();
        LedgerStart start = new LedgerStart(clock.millis(), 0, LedgerStart.LastStop.CLEAN);
        StoreUnderTest.put(data, group -> {
            for (long number = from; number <= to; number++) {
                group.put(ColumnFamily.STATE, LedgerForm.start(number), LedgerForm.value(start));
            }
        });
        open();
    }

    @Test
    void whileNothingHappensTheMarkIsNoOlderThanSomeSeconds() {
        ledger().started(false);
        written();
        clock.advance(Duration.ofSeconds(60));
        written();
        clock.advance(Duration.ofSeconds(4));
        written();
        kill();
        clock.advance(Duration.ofSeconds(30));

        ledger().started(true);
        written();

        assertThat(starts().get(0)).isEqualTo(new LedgerStart(clock.millis(), 34_000, LedgerStart.LastStop.UNCLEAN));
    }

    @Test
    void aClockThatWasPutBackMeanwhileSaysNothingOfTheTimeDown() {
        ledger().started(false);
        clock.advance(Duration.ofSeconds(10));
        reopen();
        clock.advance(Duration.ofHours(-2));

        ledger().started(true);
        written();

        assertThat(starts().get(0))
                .isEqualTo(new LedgerStart(clock.millis(), LedgerStart.UNKNOWN, LedgerStart.LastStop.CLEAN));
    }

    @Test
    void theTimeDownBeginsWhenThePortIsClosed() {
        ledger().started(false);
        clock.advance(Duration.ofSeconds(10));
        ledger().closed();
        clock.advance(Duration.ofSeconds(25));
        reopen();

        ledger().started(true);
        written();

        assertThat(starts().get(0)).isEqualTo(new LedgerStart(clock.millis(), 25_000, LedgerStart.LastStop.CLEAN));
    }

    @Test
    void aWriteThatFailedIsWrittenAgainAndNothingCountsTwice() {
        ledger().started(false);
        refuse(3);
        written();
        refuse(4);
        failing(() -> refuse(5));
        written();
        assertThat(counts()).containsExactly(refused("2026-03-01", 12));

        kill();

        assertThat(counts()).containsExactly(refused("2026-03-01", 12));
        assertThat(starts()).hasSize(1);
    }

    /** It is let go of where its day is over and it is durable, not only in a write. */
    @Test
    void whatAFailedWriteHadOfAnEarlierDayIsWrittenAgain() {
        refuse(4);
        clock.advance(Duration.ofDays(2));

        failing(() -> {});

        written();
        assertThat(counts()).containsExactly(refused("2026-03-01", 4));
    }

    /** Does something after a write that has failed; then none does any more. */
    private void failing(Runnable meanwhile) {
        test.failure.set(new RocksDBException("IO error: While fdatasync: Input/output error"));
        eventually(() -> {
            ledger().write();
            assertThat(test.count("holdfast.store.failures")).isGreaterThanOrEqualTo(1);
        });
        meanwhile.run();
        test.failure.set(null);
        eventually(() -> assertThat(test.store.writable()).isTrue());
    }

    @Test
    void aKillCostsWhatWasNotWritten() {
        refuse(3);
        written();
        refuse(4);
        kill();

        assertThat(counts()).containsExactly(refused("2026-03-01", 3));
    }

    @Test
    void whatIsFoundAgainCountsOnce() {
        for (int life = 0; life < 3; life++) {
            ledger().found(LedgerCause.JOURNAL_PUSH, "5-9", 5);
            ledger().found(LedgerCause.JOURNAL_PUSH, "5-9", 5);
            written();
            clock.advance(Duration.ofDays(1));
            reopen();
        }

        assertThat(counts())
                .containsExactly(
                        new LedgerCount(LocalDate.parse("2026-03-01"), LedgerCause.JOURNAL_PUSH, "", "", "", 5, 0, 0));
    }

    @Test
    void deadLettersThatTheirBoundGaveUpAreCountedByConsumer() {
        for (long seq = 1; seq <= 3; seq++) {
            within(test.store.deadLetters().save(letter("mine", seq, clock.millis() + seq)));
        }

        assertThat(counts())
                .containsExactly(new LedgerCount(
                        LocalDate.parse("2026-03-01"), "dead-letter-evicted-count", "", "mine", "", 2, 0, 0));
    }
}
