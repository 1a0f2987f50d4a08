package dev.holdfast.journal;

import java.util.Arrays;

/**
 * Digests of consecutive pushes, in memory: from digest to position. Open addressing over the order of arrival, so the newest
 * can be taken back. Changed by the writer thread until it is full; after that it is read by any.
 */
final class RecentDigests {
    private static final int FIRST_CAPACITY = 1024;

    private long[] digests = new long[FIRST_CAPACITY];
    private long[] seqs = new long[FIRST_CAPACITY];
    /** Twice as many as digests; 0: free, else the digest's place, from 1. */
    private int[] slots = new int[2 * FIRST_CAPACITY];

    private int count;

    /** The newest position with that digest; 0 when there is none. */
    long find(long digest) {
        int newest = 0;
        for (int slot = slot(digest); slots[slot] != 0; slot = (slot + 1) & (slots.length - 1)) {
            int place = slots[slot];
            if (digests[place - 1] == digest && place > newest) {
                newest = place;
            }
        }
        return newest == 0 ? 0 : seqs[newest - 1];
    }

    /** Of a push behind all that are in it. */
    void add(long digest, long seq) {
        if (count == digests.length) {
            grow();
        }
        digests[count] = digest;
        seqs[count] = seq;
        count++;
        occupy(count);
    }

    private void occupy(int place) {
        int slot = slot(digests[place - 1]);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = place;
    }

    private void grow() {
        digests = Arrays.copyOf(digests, 2 * count);
        seqs = Arrays.copyOf(seqs, 2 * count);
        slots = new int[4 * count];
        for (int place = 1; place <= count; place++) {
            occupy(place);
        }
    }

    /** Takes back those of positions past {@code seq}. */
    void removeAbove(long seq) {
        while (count > 0 && seqs[count - 1] > seq) {
            int slot = slot(digests[count - 1]);
            while (slots[slot] != count) {
                slot = (slot + 1) & (slots.length - 1);
            }
            // What came later is gone already, so nothing was put behind this slot because it was taken.
            slots[slot] = 0;
            count--;
        }
    }

    /** Forgets all of them, and keeps the memory. */
    void clear() {
        Arrays.fill(slots, 0);
        count = 0;
    }

    private int slot(long digest) {
        return (int) (digest ^ (digest >>> 32)) & (slots.length - 1);
    }

    int count() {
        return count;
    }

    long[] digests() {
        return digests;
    }

    long[] seqs() {
        return seqs;
    }

    /** The newest position in it; 0 when it is empty. */
    long lastSeq() {
        return count == 0 ? 0 : seqs[count - 1];
    }

    /** The oldest position in it; {@link Long#MAX_VALUE} when it is empty. */
    long firstSeq() {
        return count == 0 ? Long.MAX_VALUE : seqs[0];
    }
}
