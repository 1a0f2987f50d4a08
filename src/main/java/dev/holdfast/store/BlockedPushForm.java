package dev.holdfast.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The byte form of a {@link BlockedPush}, which lies under two keys: by its lane, and by its position. Numbers are big-endian.
 *
 * <pre>
 * key by lane      consumer, a zero byte, lane, a zero byte, seq (8 bytes)
 * value            nothing when it merely waits, else
 *                  attempts 4 bytes, counted 4 bytes,
 *                  first and last failure: each at 8 bytes, length of the error 4 bytes, error in UTF-8
 *                  openMillis 8 bytes
 * key by position  consumer, a zero byte, seq (8 bytes), lane
 * value            nothing
 * </pre>
 *
 * Consumer and lane are written a character at a time, in one to three bytes as UTF-8 would, lone surrogates included; the
 * characters 0 and 1 as the bytes 1 1 and 1 2. So there is no zero byte in them, nothing is lost of any text, and bytes sort as
 * texts do.
 */
final class BlockedPushForm {
    private BlockedPushForm() {}

    /** What all keys of a consumer begin with. */
    static byte[] prefix(String consumer) {
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        put(key, consumer);
        key.write(0);
        return key.toByteArray();
    }

    /** Behind every key that begins with {@code prefix}, which ends with a zero byte. */
    static byte[] end(byte[] prefix) {
        byte[] end = prefix.clone();
        end[end.length - 1] = 1;
        return end;
    }

    /** What all keys of a lane begin with. */
    static byte[] prefix(String consumer, String lane) {
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        key.writeBytes(prefix(consumer));
        put(key, lane);
        key.write(0);
        return key.toByteArray();
    }

    static byte[] byLane(String consumer, BlockedPush.Key place) {
        return StateKey.key(prefix(consumer, place.lane()), place.seq());
    }

    static byte[] bySeq(String consumer, BlockedPush.Key place) {
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        key.writeBytes(StateKey.key(prefix(consumer), place.seq()));
        put(key, place.lane());
        return key.toByteArray();
    }

    /** What a key by position is of; {@code prefix} is the consumer's. */
    static BlockedPush.Key place(byte[] prefix, byte[] key) {
        String lane = text(key, prefix.length + Long.BYTES, key.length);
        return new BlockedPush.Key(lane, StateKey.number(prefix, key));
    }

    static byte[] value(BlockedPush.@Nullable RetryState retry) {
        if (retry == null) {
            return new byte[0];
        }
        byte[] first = DeadLetterForm.bytes(retry.first());
        byte[] last = DeadLetterForm.bytes(retry.last());
        return ByteBuffer.allocate(4 + 4 + first.length + last.length + 8)
                .putInt(retry.attempts())
                .putInt(retry.counted())
                .put(first)
                .put(last)
                .putLong(retry.openMillis())
                .array();
    }

    /**
     * @param prefix the consumer's
     * @param key by lane
     * @throws RuntimeException when it is not what was written
     */
    static BlockedPush decode(byte[] prefix, byte[] key, byte[] value) {
        int seqAt = key.length - Long.BYTES;
        String lane = text(key, prefix.length, seqAt - 1);
        BlockedPush.Key place = new BlockedPush.Key(lane, ByteBuffer.wrap(key).getLong(seqAt));
        return new BlockedPush(place, value.length == 0 ? null : retry(ByteBuffer.wrap(value)));
    }

    private static BlockedPush.RetryState retry(ByteBuffer value) {
        int attempts = value.getInt();
        int counted = value.getInt();
        DeadLetter.Failure first = DeadLetterForm.failure(value);
        DeadLetter.Failure last = DeadLetterForm.failure(value);
        return new BlockedPush.RetryState(attempts, counted, first, last, value.getLong());
    }

    private static void put(ByteArrayOutputStream key, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= 1) {
                key.write(1);
                key.write(c + 1);
            } else if (c < 0x80) {
                key.write(c);
            } else if (c < 0x800) {
                key.write(0xc0 | (c >> 6));
                key.write(0x80 | (c & 0x3f));
            } else {
                key.write(0xe0 | (c >> 12));
                key.write(0x80 | ((c >> 6) & 0x3f));
                key.write(0x80 | (c & 0x3f));
            }
        }
    }

    /** Reads back what {@link #put} wrote. */
    static String text(byte[] key, int from, int to) {
        StringBuilder text = new StringBuilder(to - from);
        int at = from;
        while (at < to) {
            int first = key[at++] & 0xff;
            if (first == 1) {
                text.append((char) (key[at++] - 1));
            } else if (first < 0x80) {
                text.append((char) first);
            } else if (first < 0xe0) {
                text.append((char) (((first & 0x1f) << 6) | (key[at++] & 0x3f)));
            } else {
                text.append((char) (((first & 0x0f) << 12) | ((key[at++] & 0x3f) << 6) | (key[at++] & 0x3f)));
            }
        }
        return text.toString();
    }
}
