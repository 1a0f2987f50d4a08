package dev.holdfast.journal;

import static dev.holdfast.journal.Answers.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.holdfast.LogLines;
import dev.holdfast.journal.Answers.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage that RocksDB's own reader of its log goes round in circles on. */
class LogDamageTest {
    /** A header of RocksDB's log: checksum, length, type. */
    private static final int HEADER = 7;

    private static final int PUSHES = 100;
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
                Journal journal = open(new SimpleMeterRegistry())) {
            assertThat(journal.lastSeq()).isEqualTo(PUSHES);
            assertThat(new Answers(journal).store(push("after"))).isEqualTo(new Stored(PUSHES + 1, false));
            assertThat(lines.text()).contains(log.getFileName() + " is damaged", "type " + type);
        }
    }

    @Test
    void aBitFlippedInARecordsTypeIsReportedAsALoss() throws IOException {
        store();
        byte[] bytes = Files.readAllBytes(log());
        bytes[headerAfter(bytes, bytes.length / 2) + HEADER - 1] ^= 4;
        Files.write(log(), bytes);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();

        try (Journal journal = open(registry)) {
            int kept = journal.read(1, 2 * PUSHES, Long.MAX_VALUE).size();
            assertThat(kept).isBetween(1, PUSHES - 1);
            assertThat(registry.get("holdfast.journal.corrupt").counter().count())
                    .isEqualTo(PUSHES - kept);
        }
    }

    @Test
    void aLogWithoutDamageIsLeftAsItIs() throws IOException {
        store();
        byte[] before = Files.readAllBytes(log());

        LogDamage.mark(directory);

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
    private Journal open(SimpleMeterRegistry registry) {
        return assertTimeoutPreemptively(DEADLINE, () -> RocksJournal.open(directory, registry));
    }

    /** Pushes of some kilobytes, each in a write of its own; they are in the log only. */
    private void store() {
        try (Journal journal = RocksJournal.open(directory, new SimpleMeterRegistry())) {
            Answers answers = new Answers(journal);
            for (int i = 0; i < PUSHES; i++) {
                answers.store(push(i + "x".repeat(3_000)));
            }
        }
    }

    private Path log() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.comparing(Path::getFileName))
                    .orElseThrow();
        }
    }
}
