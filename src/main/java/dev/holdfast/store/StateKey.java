package dev.holdfast.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Keys of single values in {@link ColumnFamily#STATE}, and how numbers of 8 bytes are written in keys and values. */
final class StateKey {
    /** How many groups of changes were written, 8 bytes. */
    static final byte[] WRITES = ascii("writes");
    /** Before a consumer's name, to the number of its dead letters and their bytes, 8 bytes each. */
    static final byte[] DEAD_LETTERS = ascii("dead-letters/");

    /** Before a consumer's name, to the position behind which it began, 8 bytes. */
    static final byte[] START = ascii("start/");
    /** Before a consumer's name, to when it was paused, milliseconds since the epoch in 8 bytes. */
    static final byte[] PAUSED = ascii("paused/");

    private StateKey() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] of(byte[] kind, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(kind.length + text.length)
                .put(kind)
                .put(text)
                .array();
    }

    /** The name, as a rule a consumer's, in a key of a kind. */
    static String name(byte[] kind, byte[] key) {
        return new String(key, kind.length, key.length - kind.length, StandardCharsets.UTF_8);
    }

    /** Each in 8 bytes, big-endian. */
    static byte[] numbers(long... numbers) {
        return key(new byte[0], numbers);
    }

    /** The same behind a prefix. */
    static byte[] key(byte[] prefix, long... numbers) {
        ByteBuffer bytes =
                ByteBuffer.allocate(prefix.length + numbers.length * Long.BYTES).put(prefix);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    static long number(byte[] bytes, int place) {
        return ByteBuffer.wrap(bytes).getLong(place * Long.BYTES);
    }

    /** The first one behind a prefix. */
    static long number(byte[] prefix, byte[] key) {
        return ByteBuffer.wrap(key).getLong(prefix.length);
    }
}
