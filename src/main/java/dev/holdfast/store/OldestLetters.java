package dev.holdfast.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * From which key by time on a consumer may have dead letters: those before were taken out, and the database goes through what is
 * gone as slowly as through what is there. Of the writer thread.
 */
final class OldestLetters {
    private final Map<String, byte[]> from = new HashMap<>();
    /** The lowest keys of the group under way: who looks in the database doesn't find them yet. */
    private final Map<String, byte[]> added = new HashMap<>();

    /** Where to begin to look for the oldest one. */
    byte[] from(String consumer) {
        return from.getOrDefault(consumer, DeadLetterForm.byTime(consumer));
    }

    /** Nothing is left up to a key of the database, or will be when the group under way is durable. */
    void gone(String consumer, byte[] key) {
        from.put(consumer, key);
    }

    void added(String consumer, byte[] key) {
        added.merge(consumer, key, OldestLetters::lower);
    }

    private static byte[] lower(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
    }

    void committed() {
        added.forEach((consumer, key) -> from.computeIfPresent(consumer, (same, before) -> lower(before, key)));
        added.clear();
    }

    /** What was to go is still there. */
    void abandoned() {
        from.clear();
        added.clear();
    }
}
