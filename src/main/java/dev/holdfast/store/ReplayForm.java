package dev.holdfast.store;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The byte form of a {@link Replay}: its id, and a JSON object with the record's own names. */
public final class ReplayForm {
    private static final JsonMapper JSON = new JsonMapper();

    private ReplayForm() {}

    public static byte[] key(String id) {
        return id.getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] encode(Replay replay) {
        try {
            return JSON.writeValueAsBytes(replay);
        } catch (IOException e) {
            throw new StoreException("can't write replay " + replay.id(), e);
        }
    }

    public static Replay decode(byte[] value) {
        try {
            return JSON.readValue(value, Replay.class);
        } catch (IOException e) {
            throw new StoreException("can't read a replay back", e);
        }
    }
}
