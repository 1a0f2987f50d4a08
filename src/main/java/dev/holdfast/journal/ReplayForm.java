package dev.holdfast.journal;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The byte form of a {@link Replay}: its id, and a JSON object with the record's own names. */
final class ReplayForm {
    private static final JsonMapper JSON = new JsonMapper();

    private ReplayForm() {}

    static byte[] key(String id) {
        return id.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] encode(Replay replay) {
        try {
            return JSON.writeValueAsBytes(replay);
        } catch (IOException e) {
            throw new JournalException("can't write replay " + replay.id(), e);
        }
    }

    static Replay decode(byte[] value) {
        try {
            return JSON.readValue(value, Replay.class);
        } catch (IOException e) {
            throw new JournalException("can't read a replay back", e);
        }
    }
}
