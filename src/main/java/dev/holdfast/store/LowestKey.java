package dev.holdfast.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * From which key on there may be something: what was before was deleted, and the database goes through what is gone as slowly as
 * through what is there. Keys begin with a time, so that one may come that is lower than those that went: the clock was put back.
 * Of the writer thread.
 */
final class LowestKey {
    private final byte[] least;
    private byte[] from;
    /** Of the group under way: who looks in the database doesn't find it yet. */
    private byte @Nullable [] added;

    /** @param least no key is lower */
    LowestKey(byte[] least) {
        this.least = least;
        this.from = least;
    }

    /** Where to begin to look for the lowest one. */
    byte[] from() {
        return from;
    }

    /** Nothing is left up to a key of the database, or will be when the group under way is durable. */
    void gone(byte[] key) {
        from = key;
    }

    void added(byte[] key) {
        added = added == null ? key : lower(added, key);
    }

    private static byte[] lower(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
    }

    void committed() {
        from = added == null ? from : lower(added, from);
        added = null;
    }

    /** What was to go is still there. */
    void abandoned() {
        from = least;
        added = null;
    }
}
