package dev.holdfast.journal;

/**
 * Something in a log that is not as it was written, and the positions whose pushes are gone by it.
 *
 * @param file a segment's name
 * @param at where in the file it begins, in bytes
 * @param what was found
 * @param firstSeq the first position that is gone
 * @param lastSeq the last one; {@code firstSeq - 1} when none is
 */
public record JournalDamage(String file, long at, String what, long firstSeq, long lastSeq) {
    /** How many positions are gone by it. */
    public long gone() {
        return lastSeq - firstSeq + 1;
    }
}
