package dev.holdfast.store;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The byte form of a {@link Discard}: at, 8 bytes, seq, 8 bytes, and the consumer are its key, its value a JSON object. */
final class DiscardForm {
    private static final JsonMapper JSON = new JsonMapper();

    private DiscardForm() {}

    static byte[] key(Discard discard) {
        byte[] name = discard.consumer().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Long.BYTES + name.length)
                .putLong(discard.at())
                .putLong(discard.seq())
                .put(name)
                .array();
    }

    /** The position in a key. */
    static long seq(byte[] key) {
        return ByteBuffer.wrap(key).getLong(Long.BYTES);
    }

    static byte[] encode(Discard discard) {
        try {
            return JSON.writeValueAsBytes(discard);
        } catch (IOException e) {
            throw new StoreException("can't write the discard of " + discard.seq(), e);
        }
    }

    static Discard decode(byte[] value) {
        try {
            return JSON.readValue(value, Discard.class);
        } catch (IOException e) {
            throw new StoreException("can't read a discard back", e);
        }
    }
}
