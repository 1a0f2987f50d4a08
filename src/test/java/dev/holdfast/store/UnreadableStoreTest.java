package dev.holdfast.store;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.store.FilledStore.assertAllThere;
import static dev.holdfast.store.FilledStore.assertFails;
import static dev.holdfast.store.FilledStore.fill;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.BadBlock;
import dev.holdfast.LogLines;
import dev.holdfast.SetClock;
import dev.holdfast.WhenLogged;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What becomes of the store when its disk doesn't give what it holds. */
class UnreadableStoreTest {
    @TempDir
    private Path data;

    private FilledStore filled;

    @BeforeEach
    void place() {
        filled = new FilledStore(data);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "MANIFEST-\\d+", "\\d+\\.log"})
    void whatCanNotBeReadIsToldSetAsideAndMadeAnew(String pattern) throws IOException {
        filled.withTables();
        BadBlock.in(filled.one(pattern));

        filled.assertMadeAnew();
    }

    @Test
    void whatCanBeReadAgainInAMomentIsNotSetAside() throws IOException {
        filled.withTables();
        Path current = filled.one("CURRENT");
        byte[] bytes = Files.readAllBytes(current);
        BadBlock.in(current);

        try (LogLines lines = LogLines.atWarn();
                WhenLogged back = new WhenLogged(StoreLog.class, "tried again for a moment", () -> {
                    Files.delete(current);
                    return Files.write(current, bytes);
                });
                StoreUnderTest test = StoreUnderTest.in(data)) {
            assertAllThere(test);
            assertThat(back.isDone()).isTrue();
            assertThat(lines.text()).contains("Input/output error");
            assertThat(filled.setAside()).isEmpty();
        }
    }

    @Test
    void digestsThatCanNotBeReadAreMadeAnew() throws IOException {
        filled.withTables();
        BadBlock.in(data.resolve("digests/CURRENT"));

        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertThat(test.store.digests().upTo()).isZero();
            test.store.digests().add(new long[] {8}, new long[] {5}, 1, 5);
            assertThat(test.store.digests().find(8)).isEqualTo(5);
            assertThat(test.count("holdfast.store.digests.renewed")).isEqualTo(1);
            assertThat(test.store.positions().all()).isEqualTo(Map.of("mine", 9L));
        }
    }

    /** Whoever looks at a stopped gateway's directory was told of an index of Java's. */
    @Test
    void whoReadsAStoppedStoreIsToldOfAPositionThatIsNone() {
        filled.withTables();
        byte[] mine = "mine".getBytes(StandardCharsets.US_ASCII);
        StoreUnderTest.put(data, group -> group.put(ColumnFamily.POSITIONS, mine, new byte[1]));

        StoredPositions stored = StoredPositions.read(data);

        assertThat(stored.positions()).isEmpty();
        assertThat(stored.problem()).startsWith("can't read the store in " + filled.store());
    }

    @Test
    void aBlockThatCanNotBeReadInUseCountsAsDamagedWhenItStaysSo() throws IOException {
        AtomicLong nanos = new AtomicLong();
        try (StoreUnderTest test = StoreUnderTest.in(data, Clock.systemUTC(), nanos::get)) {
            fill(test);
            assertGoesOn(test, unreadable());
            nanos.addAndGet(Duration.ofSeconds(29).toNanos());
            assertGoesOn(test, unreadable());
            nanos.addAndGet(Duration.ofMinutes(6).toNanos());
            assertGoesOn(test, unreadable());
            nanos.addAndGet(Duration.ofSeconds(31).toNanos());

            test.failure.set(unreadable());
            assertFails(test);
            eventually(() -> assertThat(test.store.notice()).contains("damaged", "the next start"));
            test.failure.set(null);
            assertThatThrownBy(() -> test.checkpoint("mine", 11, List.of(), List.of()))
                    .hasMessageContaining("damaged");
        }
        filled.assertMadeAnew();
    }

    /** As after a suspension, or at a machine whose clock was wrong. */
    @Test
    void aClockThatIsPutForwardMakesNoBlockADamagedOne() throws IOException {
        SetClock clock = new SetClock(Instant.now());
        try (StoreUnderTest test = StoreUnderTest.in(data, clock, System::nanoTime)) {
            fill(test);
            assertGoesOn(test, unreadable());
            clock.advance(Duration.ofMinutes(2));
            assertGoesOn(test, unreadable());
            assertAllThere(test);
        }
    }

    private static RocksDBException unreadable() {
        return new RocksDBException(new Status(
                Status.Code.IOError,
                Status.SubCode.None,
                "While pread offset 4096 len 300: /data/store/000012.sst: Input/output error"));
    }

    private static void assertGoesOn(StoreUnderTest test, RocksDBException once) {
        test.failure.set(once);
        assertFails(test);
        test.failure.set(null);
        eventually(() -> assertThat(test.store.writable()).isTrue());
        assertAllThere(test);
    }
}
