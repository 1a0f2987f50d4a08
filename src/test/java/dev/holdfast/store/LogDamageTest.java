package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.holdfast.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage that RocksDB's own reader of its log goes round in circles on. */
class LogDamageTest {
    /** A header of RocksDB's log: checksum, length, type. */
    private static final int HEADER = 7;

    private static final int CHECKPOINTS = 100;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 8, 11, 131})
    void aRecordOfARecycledLogAtTheEndIsPassedOver(int type) throws IOException {
        store();
        byte[] record = new byte[30];
        Arrays.fill(record, (byte) 9);
        record[HEADER - 2] = 0;
        record[HEADER - 1] = (byte) type;
        Path log = log();
        Files.write(log, record, StandardOpenOption.APPEND);

        try (LogLines lines = LogLines.atWarn();
                StoreUnderTest test = open()) {
            assertThat(test.store.positions().all()).containsEntry("mine", (long) CHECKPOINTS);
            assertThat(lines.text()).contains(log.getFileName() + " is damaged", "type " + type);
        }
    }

    /** A log in which one bit of a record's type is flipped; its bytes. */
    private byte[] storeWithAFlippedType() throws IOException {
        store();
        byte[] bytes = Files.readAllBytes(log());
        bytes[headerAfter(bytes, 9 * bytes.length / 10) + HEADER - 1] ^= 4;
        Files.write(log(), bytes);
        return bytes;
    }

    @Test
    void aBitFlippedInARecordsTypeKeepsNothingFromBeingOpened() throws IOException {
        storeWithAFlippedType();

        try (StoreUnderTest test = open()) {
            assertThat(test.store.writable()).isTrue();
            assertThat(test.store.positions().all().getOrDefault("mine", 0L)).isLessThan(CHECKPOINTS);
        }
    }

    @Test
    void whoLooksAtAStoppedGatewaysPositionsIsNotHeldUpByIt() throws IOException {
        byte[] bytes = storeWithAFlippedType();

        StoredPositions read = assertTimeoutPreemptively(DEADLINE, () -> StoredPositions.read(directory));

        assertThat(read.positions()).isEmpty();
        assertThat(read.problem()).contains("damaged");
        assertThat(log()).as("nothing is changed").hasBinaryContent(bytes);
    }

    @Test
    void aLogWithoutDamageIsLeftAsItIs() throws IOException {
        store();
        byte[] before = Files.readAllBytes(log());

        LogDamage.mark(directory.resolve("store"));

        assertThat(log()).hasBinaryContent(before);
    }

    /** Where the first record after {@code place} begins; the records follow each other, each with its length. */
    private static int headerAfter(byte[] log, int place) {
        int block = 32 * 1024;
        int at = 0;
        while (at <= place) {
            int rest = block - at % block;
            at += rest < HEADER ? rest : HEADER + (log[at + 4] & 0xff) + (log[at + 5] & 0xff) * 256;
        }
        return at;
    }

    /** The opening hangs for ever without the mend, in native code. */
    private StoreUnderTest open() {
        return assertTimeoutPreemptively(DEADLINE, () -> StoreUnderTest.in(directory));
    }

    /** Each in a write of its own; they are in the log only, and not in its first block. */
    private void store() {
        try (StoreUnderTest test = StoreUnderTest.in(directory)) {
            test.checkpoint("mine", 0, List.of(StoreUnderTest.waits("x".repeat(40_000), 1)), List.of());
            for (int i = 1; i <= CHECKPOINTS; i++) {
                test.checkpoint("mine", i, List.of(), List.of());
            }
        }
    }

    private Path log() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("store"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.comparing(Path::getFileName))
                    .orElseThrow();
        }
    }
}
