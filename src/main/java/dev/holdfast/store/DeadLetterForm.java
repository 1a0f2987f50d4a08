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
 * value        nothing, or 8 bytes that are not read
 * </pre>
 */
final class DeadLetterForm {
    static final byte VERSION = 1;

    private DeadLetterForm() {}

    static byte[] key(String consumer, long seq) {
        return StateKey.key(prefix(consumer), seq);
    }

    static byte[] keyByTime(String consumer, long at, long seq) {
        return StateKey.key(prefix(consumer), at, seq);
    }

    /** What all keys of a consumer begin with. */
    static byte[] prefix(String consumer) {
        return (consumer + '\0').getBytes(StandardCharsets.US_ASCII);
    }

    static String consumer(byte[] key) {
        return new String(key, 0, key.length - Long.BYTES - 1, StandardCharsets.US_ASCII);
    }

    /** The position that a key of either sort ends with. */
    static long seq(byte[] key) {
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    static byte[] encode(DeadLetter letter) {
        byte[] first = bytes(letter.first());
        byte[] last = bytes(letter.last());
        ByteBuffer push = RecordForm.encode(letter.push());
        return ByteBuffer.allocate(1 + 4 + first.length + last.length + push.remaining())
                .put(VERSION)
                .putInt(letter.attempts())
                .put(first)
                .put(last)
                .put(push)
                .array();
    }

    /**
     * Reads back what {@code encode} wrote.
     *
     * @throws RuntimeException when it is something else
     */
    static DeadLetter decode(byte[] key, byte[] value) {
        ByteBuffer source = ByteBuffer.wrap(value);
        byte version = source.get();
        if (version != VERSION) {
            throw new StoreException("found a dead letter of version " + version + " (expected: " + VERSION + ")");
        }
        int attempts = source.getInt();
        DeadLetter.Failure first = failure(source);
        DeadLetter.Failure last = failure(source);
        return new DeadLetter(consumer(key), RecordForm.decode(seq(key), source), attempts, first, last);
    }

    static DeadLetter.Failure failure(ByteBuffer source) {
        long at = source.getLong();
        byte[] error = new byte[source.getInt()];
        source.get(error);
        return new DeadLetter.Failure(at, new String(error, StandardCharsets.UTF_8));
    }

    static byte[] bytes(DeadLetter.Failure failure) {
        byte[] error = failure.error().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + 4 + error.length)
                .putLong(failure.at())
                .putInt(error.length)
                .put(error)
                .array();
    }
}
