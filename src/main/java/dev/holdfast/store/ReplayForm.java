package dev.holdfast.store;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The byte form of a {@link Replay}: its id, and a JSON object with the record's own names, but for {@code legs}. */
public final class ReplayForm {
    private static final JsonMapper JSON =
            JsonMapper.builder().propertyNamingStrategy(new StoredNames()).build();

    /** What was written before the name changed is read on. */
    private static final class StoredNames extends PropertyNamingStrategies.NamingBase {
        private static final long serialVersionUID = 1L;

        @Override
        public String translate(String name) {
            return name.equals("progress") ? "legs" : name;
        }
    }

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
