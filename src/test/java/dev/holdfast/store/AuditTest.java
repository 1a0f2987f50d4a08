package dev.holdfast.store;

import static dev.holdfast.store.StoreUnderTest.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class AuditTest {
    @TempDir
    private Path directory;

    private static AuditEntry entry(long at) {
        return new AuditEntry(at, "ann", "10.1.2.3", "dead-letters.discard", "consumer: mine", 3L, "too ✗ old");
    }

    private static CompletableFuture<Void> all(Audit audit, LongStream times) {
        return CompletableFuture.allOf(times.mapToObj(at -> audit.add(entry(at)))
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture[]::new));
    }

    @Test
    void theNewestComesFirstAndAPageGoesOnWhereTheOneBeforeEnded() {
        try (StoreUnderTest test = StoreUnderTest.in(directory)) {
            within(all(test.store.audit(), LongStream.rangeClosed(1, 5)));

            assertThat(test.store.audit().newest(Long.MAX_VALUE, 2))
                    .containsExactly(new Audit.Line(5, entry(5)), new Audit.Line(4, entry(4)));
            assertThat(test.store.audit().newest(4, 10))
                    .extracting(Audit.Line::number)
                    .containsExactly(3L, 2L, 1L);
            assertThat(test.store.audit().newest(1, 10)).isEmpty();
        }
    }

    @Test
    void itSurvivesARestartAndGoesOnCounting() {
        AuditEntry plain = new AuditEntry(7, "anonymous", "", "configuration.reload", "all", null, null);
        try (StoreUnderTest test = StoreUnderTest.in(directory)) {
            within(test.store.audit().add(plain));
        }
        try (StoreUnderTest test = StoreUnderTest.in(directory)) {
            within(test.store.audit().add(entry(8)));

            assertThat(test.store.audit().newest(Long.MAX_VALUE, 10))
                    .containsExactly(new Audit.Line(2, entry(8)), new Audit.Line(1, plain));
        }
    }

    @Test
    void theOldestAreForgotten() {
        try (StoreUnderTest test = StoreUnderTest.in(directory)) {
            within(all(test.store.audit(), LongStream.rangeClosed(1, Audit.MOST + 7)));

            assertThat(test.store.audit().newest(Long.MAX_VALUE, Integer.MAX_VALUE))
                    .hasSize(Audit.MOST)
                    .extracting(Audit.Line::number)
                    .startsWith(Audit.MOST + 7L)
                    .endsWith(8L);
        }
    }

    @Test
    void whatTheDiskDidNotTakeIsNotThereAndTakesNoNumber() {
        try (StoreUnderTest test = StoreUnderTest.in(directory)) {
            within(test.store.audit().add(entry(1)));
            test.failure.set(new RocksDBException("the disk is gone"));

            assertThat(test.store.audit().add(entry(2)).toCompletableFuture()).failsWithin(Duration.ofSeconds(30));
            test.failure.set(null);
            Eventually.until(test.store::writable);
            within(test.store.audit().add(entry(3)));

            assertThat(test.store.audit().newest(Long.MAX_VALUE, 10))
                    .containsExactly(new Audit.Line(2, entry(3)), new Audit.Line(1, entry(1)));
        }
    }

    @Test
    void anEntryOfALaterVersionIsReadAsFarAsItIsUnderstood() {
        byte[] later = new String(RocksAudit.FORM.encode(entry(1)), StandardCharsets.UTF_8)
                .replaceFirst("}$", ",\"session\":{}}")
                .getBytes(StandardCharsets.UTF_8);

        assertThat(RocksAudit.FORM.decode(later)).isEqualTo(entry(1));
    }
}
