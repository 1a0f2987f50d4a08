package dev.holdfast.store;

/**
 * The older part of the index from a push's digest to its {@code seq}: derived from the journal, written behind the answers,
 * and made again from it when it is lost. One writer at a time.
 */
public interface Digests {
    /** The newest {@code seq} with that digest; 0: none, also when it can't be read. Reads memory mostly, at worst the disk. */
    long find(long digest);

    /**
     * Adds digests of pushes with consecutive or growing positions; not synced.
     *
     * @param upTo every push up to here is in the index when this has returned and what it wrote survived
     * @throws StoreException when they can't be kept, or the index was opened again and lacks some before them: {@link #upTo} tells
     */
    void add(long[] digests, long[] seqs, int count, long upTo);

    /** Every push up to here is in the index; 0: none. */
    long upTo();

    /** Positions below are no longer in the journal: their digests may go. */
    void removeBelow(long seq);
}
