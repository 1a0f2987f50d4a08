package dev.holdfast.store;

import dev.holdfast.push.RecordForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The byte form of a {@link DeadLetter}. Numbers are big-endian.
 *
 * <pre>
 * key          consumer (ASCII), a zero byte, seq (8 bytes)
 * value        version 1 byte ({@value #VERSION}), attempts 4 bytes,
 *              first and last failure: each at 8 bytes, length of the error 4 bytes, error in UTF-8
 *              the push as {@link RecordForm} writes it
 * key by time  consumer (ASCII), a zero byte, at of the last failure (8 bytes), seq (8 bytes)
 * value        length of the letter's value, 8 bytes
 * </pre>
 */
public final class DeadLetterForm {
    static final byte VERSION = 1;

    private DeadLetterForm() {}

    public static byte[] key(String consumer, long seq) {
        return StateKey.key(prefix(consumer), seq);
    }

    static byte[] keyByTime(String consumer, long at, long seq) {
        return StateKey.key(prefix(consumer), at, seq);
    }

    /** What all keys of a consumer begin with. */
    static byte[] prefix(String consumer) {
        return (consumer + '\0').getBytes(StandardCharsets.US_ASCII);
    }

    /** When the last failure was, out of a value. */
    static long lastAt(byte[] value) {
        ByteBuffer source = ByteBuffer.wrap(value);
        int firstLength = source.getInt(1 + 4 + 8);
        return source.getLong(1 + 4 + 8 + 4 + firstLength);
    }

    public static byte[] encode(DeadLetter letter) {
        byte[] first = utf8(letter.first().error());
        byte[] last = utf8(letter.last().error());
        ByteBuffer push = RecordForm.encode(letter.push());
        ByteBuffer target = ByteBuffer.allocate(1 + 4 + 2 * (8 + 4) + first.length + last.length + push.remaining());
        target.put(VERSION).putInt(letter.attempts());
        target.putLong(letter.first().at()).putInt(first.length).put(first);
        target.putLong(letter.last().at()).putInt(last.length).put(last);
        return target.put(push).array();
    }

    /**
     * Reads back what {@code encode} wrote.
     *
     * @throws RuntimeException when it is something else
     */
    public static DeadLetter decode(byte[] key, byte[] value) {
        String consumer = new String(key, 0, key.length - Long.BYTES - 1, StandardCharsets.US_ASCII);
        long seq = ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
        ByteBuffer source = ByteBuffer.wrap(value);
        byte version = source.get();
        if (version != VERSION) {
            throw new StoreException("found a dead letter of version " + version + " (expected: " + VERSION + ")");
        }
        int attempts = source.getInt();
        DeadLetter.Failure first = failure(source);
        DeadLetter.Failure last = failure(source);
        return new DeadLetter(consumer, RecordForm.decode(seq, source), attempts, first, last);
    }

    static DeadLetter.Failure failure(ByteBuffer source) {
        long at = source.getLong();
        byte[] error = new byte[source.getInt()];
        source.get(error);
        return new DeadLetter.Failure(at, new String(error, StandardCharsets.UTF_8));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
