package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigestsTest {
    private static final int PORTION = 65_536;

    @TempDir
    private Path data;

    /** The digest of the push at a position. */
    private static long digest(long seq) {
        return new Random(seq).nextLong();
    }

    private static void add(Digests digests, long from) {
        long[] values = new long[PORTION];
        long[] seqs = new long[PORTION];
        for (int i = 0; i < PORTION; i++) {
            seqs[i] = from + i;
            values[i] = digest(from + i);
        }
        digests.add(values, seqs, PORTION, from + PORTION - 1);
    }

    @Test
    void aMillionDigestsAreFoundAcrossReopening() {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            for (int portion = 0; portion < 16; portion++) {
                add(test.store.digests(), 1 + (long) portion * PORTION);
            }
        }
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            Digests digests = test.store.digests();
            assertThat(digests.upTo()).isEqualTo(16L * PORTION);
            for (long seq = 1; seq <= 16L * PORTION; seq += 997) {
                assertThat(digests.find(digest(seq))).isEqualTo(seq);
                assertThat(digests.find(digest(-seq))).isZero();
            }
        }
    }

    @Test
    void theNewestPositionOfADigestCounts() {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            test.store.digests().add(new long[] {5, 5}, new long[] {1, 2}, 2, 2);
            test.store.digests().add(new long[] {5, 6}, new long[] {3, 4}, 1, 3);

            assertThat(test.store.digests().find(5)).isEqualTo(3);
            assertThat(test.store.digests().find(6)).isZero();
        }
    }

    @Test
    void whatIsMadeAnewWhileItIsUsedDoesNotClaimWhatItHeldBefore() throws IOException {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            for (int portion = 0; portion < 16; portion++) {
                add(test.store.digests(), 1 + (long) portion * PORTION);
            }
        }
        try (Stream<Path> files = Files.list(data.resolve("digests"))) {
            for (Path file : (Iterable<Path>) files.filter(one -> one.toString().endsWith(".sst"))::iterator) {
                byte[] bytes = Files.readAllBytes(file);
                for (int at = 0; at < bytes.length / 2; at += 512) {
                    bytes[at] ^= 0x55;
                }
                Files.write(file, bytes);
            }
        }
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            Digests digests = test.store.digests();
            long next = digests.upTo() + 1;
            for (long seq = 1; seq < next; seq += 997) {
                digests.find(digest(seq));
            }

            assertThatThrownBy(() -> add(digests, next))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("up to push 0");

            assertThat(digests.upTo()).isZero();
            add(digests, 1);
            assertThat(digests.upTo()).isEqualTo(PORTION);
        }
    }

    @Test
    void aSweepUnderWayEndsWhenTheStoreIsClosed() {
        long last = 16L * PORTION;
        long lowest = LongStream.rangeClosed(1, last)
                .map(DigestsTest::digest)
                .reduce((a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b)
                .orElseThrow();
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            Digests digests = test.store.digests();
            for (long from = 1; from < last; from += PORTION) {
                add(digests, from);
            }
            CompletableFuture<Void> sweep = CompletableFuture.runAsync(() -> digests.removeBelow(last));
            Eventually.until(() -> digests.find(lowest) == 0 || sweep.isDone());

            test.store.close();

            assertThat(sweep).succeedsWithin(Duration.ofSeconds(30));
        }
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertThat(test.store.digests().upTo()).isEqualTo(last);
            assertThat(test.store.digests().find(digest(last))).isEqualTo(last);
        }
    }

    @Test
    void whoAddsWhileTheStoreIsClosedIsRefused() {
        long[] some = LongStream.range(0, PORTION).map(DigestsTest::digest).toArray();
        for (int round = 0; round < 5; round++) {
            try (StoreUnderTest test = StoreUnderTest.in(data.resolve("" + round))) {
                Digests digests = test.store.digests();
                CompletableFuture<Void> adding = CompletableFuture.runAsync(() -> {
                    while (true) {
                        digests.add(some, some, PORTION, PORTION);
                    }
                });
                Eventually.until(() -> digests.upTo() > 0);

                test.store.close();

                assertThat(adding)
                        .failsWithin(Duration.ofSeconds(30))
                        .withThrowableThat()
                        .withMessageContaining("not open");
            }
        }
    }

    @Test
    void digestsOfRemovedPushesGo() {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            add(test.store.digests(), 1);

            test.store.digests().removeBelow(PORTION / 2);

            assertThat(test.store.digests().find(digest(PORTION / 2 - 1))).isZero();
            assertThat(test.store.digests().find(digest(PORTION / 2))).isEqualTo(PORTION / 2);
            assertThat(test.store.digests().upTo()).isEqualTo(PORTION);
        }
    }
}
