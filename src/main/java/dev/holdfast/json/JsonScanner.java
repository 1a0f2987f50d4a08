package dev.holdfast.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.StreamReadConstraints;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a JSON text (RFC 8259) in strict UTF-8 and checks what it passes, within Jackson's own limits: what it
 * accepts, Jackson's parser accepts too. Like Jackson, it skips a byte order mark at the beginning. After an exception
 * the walk is over. Used by one thread.
 */
public final class JsonScanner {
    static final int MAX_DEPTH = StreamReadConstraints.DEFAULT_MAX_DEPTH;
    /** Digits of a number, including those after its point and in its exponent. */
    static final int MAX_DIGITS = StreamReadConstraints.DEFAULT_MAX_NUM_LEN;
    /** In bytes. */
    static final int MAX_NAME = StreamReadConstraints.DEFAULT_MAX_NAME_LEN;
    /** In bytes. */
    static final int MAX_STRING = StreamReadConstraints.DEFAULT_MAX_STRING_LEN;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final byte[] text;
    private final JsonTokens tokens;
    /** One bit for each level: whether it is an object. */
    private final long[] objects = new long[MAX_DEPTH / Long.SIZE + 1];

    private int depth;
    private int at;
    private int nameFrom;
    private int nameTo;
    /** The unescaped name, in UTF-8; null if it has no escapes, or was not asked for. */
    private byte @Nullable [] unescapedName;

    private boolean nameEscaped;

    /** @param text not to be changed while it is walked over */
    public JsonScanner(byte[] text) {
        this.text = text;
        this.tokens = new JsonTokens(text);
        this.at = Arrays.mismatch(text, BYTE_ORDER_MARK) == BYTE_ORDER_MARK.length ? BYTE_ORDER_MARK.length : 0;
    }

    /** The first byte of the next token; 0 at the text's end, where the walk stays. */
    public byte peek() {
        at = tokens.space(at);
        return tokens.at(at);
    }

    /** Passes white space up to the text's end, and throws if anything else comes before it. */
    public void requireEnd() throws JsonSyntaxException {
        peek();
        if (at < text.length) {
            throw tokens.unexpected(at, "the end");
        }
    }

    /** Enters the object that must come next, and goes to its first member; false if it is empty: then it is passed. */
    public boolean enterObject() throws JsonSyntaxException {
        enter('{');
        objects[depth / Long.SIZE] |= 1L << depth;
        return peek() == '}' ? leave() : name();
    }

    /** Enters the array that must come next, and goes to its first element; false if it is empty: then it is passed. */
    boolean enterArray() throws JsonSyntaxException {
        enter('[');
        objects[depth / Long.SIZE] &= ~(1L << depth);
        return peek() == ']' ? leave() : true;
    }

    private void enter(char bracket) throws JsonSyntaxException {
        if (peek() != bracket) {
            throw tokens.unexpected(at, "'" + bracket + "'");
        }
        depth++;
        if (depth > MAX_DEPTH) {
            throw tokens.unexpected(at, "at most " + MAX_DEPTH + " levels");
        }
        at++;
    }

    /**
     * After a value: goes to the next one of the same object or array; false if there is none: then the object or array
     * is passed.
     */
    public boolean next() throws JsonSyntaxException {
        boolean object = (objects[depth / Long.SIZE] & 1L << depth) != 0;
        byte next = peek();
        if (next == ',') {
            at++;
            return object ? name() : true;
        }
        if (next == (object ? '}' : ']')) {
            return leave();
        }
        throw tokens.unexpected(at, object ? "',' or '}'" : "',' or ']'");
    }

    private boolean leave() {
        at++;
        depth--;
        return false;
    }

    private boolean name() throws JsonSyntaxException {
        if (peek() != '"') {
            throw tokens.unexpected(at, "a name");
        }
        nameFrom = at;
        at = tokens.string(at);
        nameTo = at;
        nameEscaped = tokens.escaped();
        unescapedName = null;
        if (nameTo - nameFrom - 2 > MAX_NAME) {
            throw tokens.unexpected(nameFrom, "a name of at most " + MAX_NAME + " bytes");
        }
        if (nameEscaped && tokens.hasHalfPair(nameFrom, nameTo)) {
            throw tokens.unexpected(nameFrom, "a name without half a surrogate pair");
        }
        if (peek() != ':') {
            throw tokens.unexpected(at, "':'");
        }
        at++;
        return true;
    }

    /** Whether the member whose value comes next has this name, which is in UTF-8. */
    public boolean isNamed(byte[] name) {
        return nameEscaped
                ? Arrays.equals(unescapedName(), name)
                : Arrays.equals(text, nameFrom + 1, nameTo - 1, name, 0, name.length);
    }

    private byte[] unescapedName() {
        byte[] known = unescapedName;
        if (known == null) {
            known = tokens.said(nameFrom, nameTo).getBytes(UTF_8);
            unescapedName = known;
        }
        return known;
    }

    /** Passes the value that comes next, whatever it is. */
    public void skip() throws JsonSyntaxException {
        int outside = depth;
        boolean more = skipToken();
        while (depth > outside) {
            more = more ? skipToken() : next();
        }
    }

    /**
     * Passes the value that comes next. Only for a text that is known to be JSON: of an object or array it finds only
     * the end.
     */
    void jump() throws JsonSyntaxException {
        byte first = peek();
        if (first != '{' && first != '[') {
            skip();
            return;
        }
        int end = JsonNesting.end(text, at);
        if (end == JsonNesting.NONE) {
            throw tokens.unexpected(text.length, "'}' or ']'");
        }
        at = end;
    }

    /** Passes a scalar, or the beginning of an object or array; returns whether a value must come next. */
    private boolean skipToken() throws JsonSyntaxException {
        switch (peek()) {
            case '{' -> {
                return enterObject();
            }
            case '[' -> {
                return enterArray();
            }
            case '"' -> skipString();
            case 't' -> at = tokens.word(at, "true");
            case 'f' -> at = tokens.word(at, "false");
            case 'n' -> at = tokens.word(at, "null");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> at = tokens.number(at);
            default -> throw tokens.unexpected(at, "a value");
        }
        return false;
    }

    private void skipString() throws JsonSyntaxException {
        int from = at;
        at = tokens.string(at);
        if (at - from - 2 > MAX_STRING) {
            throw tokens.unexpected(from, "a string of at most " + MAX_STRING + " bytes");
        }
    }

    /** Passes the value that comes next, and returns it if it is a string, else null. */
    public @Nullable String string() throws JsonSyntaxException {
        boolean isString = peek() == '"';
        int from = at;
        skip();
        return isString ? string(from, at) : null;
    }

    /** Passes the value that comes next, and returns it if it is an integer that fits, else null. */
    public @Nullable Long integer() throws JsonSyntaxException {
        byte first = peek();
        if (first != '-' && !JsonTokens.isDigit(first)) {
            skip();
            return null;
        }
        try {
            return Long.valueOf(written());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Passes the number or the word that comes next, and returns it as it is written. */
    String written() throws JsonSyntaxException {
        peek();
        int from = at;
        skip();
        return new String(text, from, at - from, ISO_8859_1);
    }

    private String string(int from, int to) {
        return tokens.escaped() ? tokens.said(from, to) : new String(text, from + 1, to - from - 2, UTF_8);
    }
}
