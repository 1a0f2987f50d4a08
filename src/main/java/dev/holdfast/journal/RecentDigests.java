package dev.holdfast.journal;

import java.util.Arrays;

/**
 * Digests of consecutive pushes, in memory: from digest to position. Open addressing over the order of arrival, so the newest
 * can be taken back. Changed by the writer thread until it is full; after that it is read by any.
 */
final class RecentDigests {
    private static final int FIRST_CAPACITY = 1024;

    private final DigestList list = new DigestList();
    /** At least twice as many as digests; 0: free, else the digest's place, from 1. */
    private int[] slots = new int[2 * FIRST_CAPACITY];

    /** The newest position with that digest; 0 when there is none. */
    long find(long digest) {
        int newest = 0;
        for (int slot = slot(digest); slots[slot] != 0; slot = (slot + 1) & (slots.length - 1)) {
            // Of equal ones the newest lies furthest: when it came the slots before it were taken.
            if (list.digests()[slots[slot] - 1] == digest) {
                newest = slots[slot];
            }
        }
        return newest == 0 ? 0 : list.seqs()[newest - 1];
    }

    /** Adds that of a push behind all those that are in it. */
    void add(long digest, long seq) {
        // All memory is taken before anything is changed: what lies in the list is in a slot.
        int[] larger = 2 * (list.count() + 1) > slots.length ? new int[2 * slots.length] : slots;
        list.add(digest, seq);
        if (larger == slots) {
            occupy(list.count());
        } else {
            slots = larger;
            for (int place = 1; place <= list.count(); place++) {
                occupy(place);
            }
        }
    }

    private void occupy(int place) {
        int slot = slot(list.digests()[place - 1]);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = place;
    }

    /** Takes back those of positions past {@code seq}. */
    void removeAbove(long seq) {
        while (lastSeq() > seq) {
            int slot = slot(list.digests()[list.count() - 1]);
            while (slots[slot] != list.count()) {
                slot = (slot + 1) & (slots.length - 1);
            }
            // What came later is gone already, so nothing was put behind this slot because it was taken.
            slots[slot] = 0;
            list.removeNewest();
        }
    }

    /** Forgets all of them, and keeps the memory. */
    void clear() {
        Arrays.fill(slots, 0);
        list.clear();
    }

    private int slot(long digest) {
        return (int) (digest ^ (digest >>> 32)) & (slots.length - 1);
    }

    /** All of them. */
    DigestList list() {
        return list;
    }

    /** The newest position in it; 0 when it is empty. */
    long lastSeq() {
        return list.count() == 0 ? 0 : list.seqs()[list.count() - 1];
    }

    /** The oldest position in it; {@link Long#MAX_VALUE} when it is empty. */
    long firstSeq() {
        return list.count() == 0 ? Long.MAX_VALUE : list.seqs()[0];
    }
}
