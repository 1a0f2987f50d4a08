package dev.holdfast.journal;

/**
 * Tells of most digests that aren't among those of a stretch of pushes that they aren't: a Bloom filter in blocks of one cache
 * line, a bit in each of its eight words. With {@value #CAPACITY} digests it takes 6 MiB and is wrong once in three
 * hundred times. Added to by one thread; who reads it beside that sees what was published to them.
 */
final class DigestFilter {
    static final int CAPACITY = 4 << 20;
    private static final int BITS_PER_DIGEST = 12;
    private static final int WORDS = 8;
    private static final int BLOCKS = CAPACITY * BITS_PER_DIGEST / (WORDS * Long.SIZE);

    private final long[] words = new long[BLOCKS * WORDS];
    private int count;
    private volatile long lastSeq;

    void add(long digest, long seq) {
        int block = block(digest);
        long bits = digest * 0x9e3779b97f4a7c15L;
        for (int word = 0; word < WORDS; word++) {
            words[block + word] |= 1L << (bits >>> (6 * word));
        }
        count++;
        lastSeq = Math.max(lastSeq, seq);
    }

    boolean mayHold(long digest) {
        int block = block(digest);
        long bits = digest * 0x9e3779b97f4a7c15L;
        for (int word = 0; word < WORDS; word++) {
            if ((words[block + word] & (1L << (bits >>> (6 * word)))) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int block(long digest) {
        return (int) (((digest >>> 32) * BLOCKS) >>> 32) * WORDS;
    }

    boolean isFull() {
        return count >= CAPACITY;
    }

    long lastSeq() {
        return lastSeq;
    }
}
