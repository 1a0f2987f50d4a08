package dev.holdfast.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the end of an object or array in a text that is known to be JSON. Looks only for quotes, brackets and
 * backslashes, at eight bytes at once where it can. Used by one thread.
 */
final class JsonNesting {
    /** There is no end. */
    static final int NONE = -1;

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long OTHER_BITS = ~HIGH_BITS;

    private final byte[] text;
    private int depth;
    private boolean inString;

    private JsonNesting(byte[] text) {
        this.text = text;
    }

    /** The position after the object or array that begins there, or {@link #NONE}. */
    static int end(byte[] text, int from) {
        return new JsonNesting(text).end(from);
    }

    private int end(int from) {
        int at = from;
        do {
            at = skipEights(at);
            for (int to = Math.min(at + Long.BYTES, text.length); at < to; at++) {
                byte next = text[at];
                if (next == '\\') {
                    at++;
                } else if (next == '"') {
                    inString = !inString;
                } else if (!inString && closes(next)) {
                    return at + 1;
                }
            }
        } while (at < text.length);
        return NONE;
    }

    private boolean closes(byte next) {
        if (next == '{' || next == '[') {
            depth++;
        } else if (next == '}' || next == ']') {
            depth--;
            return depth == 0;
        }
        return false;
    }

    /** Skips eight bytes at a time, until there is a backslash among them, or brackets that might be the last ones. */
    private int skipEights(int from) {
        int at = from;
        int open = depth;
        long strings = inString ? HIGH_BITS : 0;
        for (; at <= text.length - Long.BYTES; at += Long.BYTES) {
            long eight = (long) EIGHT.get(text, at);
            long ascii = ~eight & HIGH_BITS;
            long low = eight & OTHER_BITS;
            long quotes = equal(low, '"') & ascii;
            // For each byte, whether it is in a string: the number of quotes up to it is odd.
            long inside = (quotes >>> 7) * HIGH_BITS ^ strings;
            // Outside strings, of all characters of JSON only brackets and braces have these three bits, and closing
            // ones also a fourth.
            long brackets = (eight << 1) & (eight << 3) & (eight << 4) & HIGH_BITS & ~inside;
            int closing = Long.bitCount(brackets & (eight << 5));
            if (closing >= open || (equal(low, '\\') & ascii) != 0) {
                break;
            }
            open += Long.bitCount(brackets) - 2 * closing;
            strings = (inside >> (Long.SIZE - 1)) & HIGH_BITS;
        }
        depth = open;
        inString = strings != 0;
        return at;
    }

    /**
     * Sets the high bit of each of eight bytes that is this character; other bits too. None of the bytes may have a
     * high bit itself.
     */
    private static long equal(long eight, char character) {
        return ~((eight ^ ONES * character) + OTHER_BITS);
    }
}
