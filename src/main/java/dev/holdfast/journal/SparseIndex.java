package dev.holdfast.journal;

import java.util.Arrays;

/** Where in a segment some of its pushes begin: one for every {@value #STRIDE} bytes or so. Any thread. */
final class SparseIndex {
    private static final int STRIDE = 128 << 10;

    private long[] seqs = new long[16];
    private long[] offsets = new long[16];
    private int count;

    /** Of pushes in the order of their positions, each of them or only some. */
    synchronized void add(long seq, long offset) {
        if (count > 0 && offset - offsets[count - 1] < STRIDE) {
            return;
        }
        if (count == seqs.length) {
            seqs = Arrays.copyOf(seqs, 2 * count);
            offsets = Arrays.copyOf(offsets, 2 * count);
        }
        seqs[count] = seq;
        offsets[count++] = offset;
    }

    /** Where to begin to look for {@code seq}: no push at or behind it begins earlier. */
    synchronized long floor(long seq) {
        int found = Arrays.binarySearch(seqs, 0, count, seq);
        int at = found >= 0 ? found : -found - 2;
        return at < 0 ? SegmentFormat.HEADER_LENGTH : offsets[at];
    }
}
