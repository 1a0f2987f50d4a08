package dev.holdfast.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * The tokens of a JSON text: each method takes the position where a token begins, and returns the position after it.
 * Throws at anything that is no token of JSON in strict UTF-8. The text's end reads as 0, which is in no token. Used by
 * one thread.
 */
final class JsonTokens {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private final byte[] text;
    private boolean escaped;

    JsonTokens(byte[] text) {
        this.text = text;
    }

    byte at(int place) {
        return place < text.length ? text[place] : 0;
    }

    int space(int from) {
        int at = from;
        // Usually there is no white space.
        while (at < text.length && text[at] <= ' ' && isSpace(text[at])) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Whether the last string that was passed has escapes. */
    boolean escaped() {
        return escaped;
    }

    int string(int from) throws JsonSyntaxException {
        escaped = false;
        int at = plain(from + 1);
        byte next = at(at);
        while (next != '"') {
            if (next == '\\') {
                escaped = true;
                at = escape(at);
            } else if (next < 0) {
                at = character(at);
            } else {
                throw unexpected(at, "a character of a string");
            }
            at = at(at) < 0 ? at : plain(at);
            next = at(at);
        }
        return at + 1;
    }

    /** A string unescaped, with halves of surrogate pairs as they are. */
    String said(int from, int to) {
        StringBuilder said = new StringBuilder(to - from);
        int at = from + 1;
        while (at < to - 1) {
            int plain = at;
            while (text[at] != '\\' && at < to - 1) {
                at++;
            }
            said.append(new String(text, plain, at - plain, UTF_8));
            if (at < to - 1) {
                said.append(escaped(at));
                at += escapeLength(at);
            }
        }
        return said.toString();
    }

    /** Whether a string has an escape for half of a surrogate pair without one for the other half. */
    boolean hasHalfPair(int from, int to) {
        boolean high = false;
        int at = from + 1;
        while (at < to - 1) {
            boolean escape = text[at] == '\\';
            char character = escape ? escaped(at) : 0;
            if (high != Character.isLowSurrogate(character)) {
                return true;
            }
            high = Character.isHighSurrogate(character);
            at += escape ? escapeLength(at) : 1;
        }
        return high;
    }

    private int escapeLength(int from) {
        return text[from + 1] == 'u' ? 6 : 2;
    }

    private char escaped(int from) {
        return switch (text[from + 1]) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int value = 0;
                for (int at = from + 2; at < from + 6; at++) {
                    value = value << 4 | Character.digit(text[at], 16);
                }
                yield (char) value;
            }
            default -> (char) text[from + 1];
        };
    }

    /** The position of the first byte from here on that does not stand for itself in a string, or the text's end. */
    private int plain(int from) {
        int at = from;
        for (; at <= text.length - Long.BYTES; at += Long.BYTES) {
            long eight = (long) EIGHT.get(text, at);
            // The high bit of each byte that has one itself, or is below a space, or is a quote or a backslash. Correct
            // up to the first such byte.
            long special =
                    (eight | (eight - ONES * ' ') | ((eight ^ ONES * '"') - ONES) | ((eight ^ ONES * '\\') - ONES))
                            & HIGH_BITS;
            if (special != 0) {
                return at + Long.numberOfTrailingZeros(special) / Byte.SIZE;
            }
        }
        while (at < text.length && text[at] >= ' ' && text[at] != '"' && text[at] != '\\') {
            at++;
        }
        return at;
    }

    private int escape(int from) throws JsonSyntaxException {
        switch (at(from + 1)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return from + 2;
            }
            case 'u' -> {
                for (int at = from + 2; at < from + 6; at++) {
                    if (Character.digit(at(at), 16) < 0) {
                        throw unexpected(at, "a hexadecimal digit");
                    }
                }
                return from + 6;
            }
            default -> throw unexpected(from + 1, "an escape");
        }
    }

    /** A character of two to four bytes (Unicode 15.0, table 3-7). */
    private int character(int from) throws JsonSyntaxException {
        int first = at(from) & 0xFF;
        int second = at(from + 1) & 0xFF;
        if (first < 0xE0) {
            require(first >= 0xC2 && isTail(second), from);
            return from + 2;
        }
        boolean third = isTail(at(from + 2));
        if (first < 0xF0) {
            int least = first == 0xE0 ? 0xA0 : 0x80;
            int most = first == 0xED ? 0x9F : 0xBF;
            require(second >= least && second <= most && third, from);
            return from + 3;
        }
        int least = first == 0xF0 ? 0x90 : 0x80;
        int most = first == 0xF4 ? 0x8F : 0xBF;
        require(first <= 0xF4 && second >= least && second <= most && third && isTail(at(from + 3)), from);
        return from + 4;
    }

    private static boolean isTail(int b) {
        return (b & 0xC0) == 0x80;
    }

    private void require(boolean isCharacter, int at) throws JsonSyntaxException {
        if (!isCharacter) {
            throw unexpected(at, "a character in UTF-8");
        }
    }

    int number(int from) throws JsonSyntaxException {
        int whole = at(from) == '-' ? from + 1 : from;
        int at = at(whole) == '0' ? whole + 1 : digits(whole);
        int digits = at - whole;
        if (at(at) == '.') {
            int fraction = at + 1;
            at = digits(fraction);
            digits += at - fraction;
        }
        if (at(at) == 'e' || at(at) == 'E') {
            int exponent = at(at + 1) == '+' || at(at + 1) == '-' ? at + 2 : at + 1;
            at = digits(exponent);
            digits += at - exponent;
        }
        if (digits > JsonScanner.MAX_DIGITS) {
            throw unexpected(from, "at most " + JsonScanner.MAX_DIGITS + " digits");
        }
        return at;
    }

    private int digits(int from) throws JsonSyntaxException {
        int at = from;
        while (isDigit(at(at))) {
            at++;
        }
        if (at == from) {
            throw unexpected(at, "a digit");
        }
        return at;
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    int word(int from, String word) throws JsonSyntaxException {
        for (int i = 0; i < word.length(); i++) {
            if (at(from + i) != word.charAt(i)) {
                throw unexpected(from + i, word);
            }
        }
        return from + word.length();
    }

    JsonSyntaxException unexpected(int place, String expected) {
        String found = place < text.length ? "0x" + HexFormat.of().toHexDigits(text[place]) : "the end";
        return new JsonSyntaxException("at byte " + place + ": found " + found + ", expected " + expected);
    }
}
