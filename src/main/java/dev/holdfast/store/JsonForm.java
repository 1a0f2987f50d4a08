package dev.holdfast.store;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The byte form of a record: a JSON object. One with a field that is unknown here, as a later version may write, can't be read.
 *
 * @param type of the record
 * @param name what people call one
 */
record JsonForm<T>(Class<T> type, String name) {
    private static final Logger LOG = LoggerFactory.getLogger(JsonForm.class);

    /** Made for the first record and not for the first form, which each start has: it takes a tenth of a start. */
    private static final class Databinding {
        static final JsonMapper JSON = JsonMapper.builder().build();
    }

    byte[] encode(T value) {
        try {
            return Databinding.JSON.writeValueAsBytes(value);
        } catch (IOException e) {
            throw new StoreException("can't write " + name, e);
        }
    }

    /** Null when that is none, which is told: one that can't be read keeps nobody from the others. */
    @Nullable
    T decode(byte[] value) {
        try {
            return Databinding.JSON.readValue(value, type);
        } catch (IOException e) {
            LOG.error("{} in the store can't be read and is skipped", name, e);
            return null;
        }
    }
}
