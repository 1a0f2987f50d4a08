package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
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
