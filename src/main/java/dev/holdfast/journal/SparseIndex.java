package dev.holdfast.journal;

import java.util.Arrays;

/** Where in a segment some of its pushes begin: one for every {@value #STRIDE} bytes or so. Any thread. */
final class SparseIndex {
    private static final int STRIDE = 32 << 10;
    private static final long LOW = (1L << 32) - 1;

    /** In the upper half how far behind {@link #base} a push is, in the lower one where it begins. */
    private long[] places = new long[16];

    private int count;
    /** The position of the first one. */
    private long base;
    /** Where the last push that was added begins. */
    private long newest;

    /** Adds a push behind those that were; not each has to be. */
    synchronized void add(long seq, long offset) {
        if (count == 0) {
            base = seq;
        } else if (offset - newest < STRIDE || offset > LOW || seq - base > Integer.MAX_VALUE) {
            return;
        }
        if (count == places.length) {
            places = Arrays.copyOf(places, 2 * count);
        }
        places[count++] = (seq - base) << 32 | offset;
        newest = offset;
    }

    /** Where to begin to look for {@code seq}: no push at or behind it begins earlier. */
    synchronized long floor(long seq) {
        long behind = Math.min(seq - base, Integer.MAX_VALUE);
        if (count == 0 || behind < 0) {
            return SegmentFormat.HEADER_LENGTH;
        }
        int found = Arrays.binarySearch(places, 0, count, behind << 32 | LOW);
        return places[found >= 0 ? found : -found - 2] & LOW;
    }
}
