package dev.holdfast.store;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The byte form of a record: a JSON object with its own names, but for a replay's {@code progress}, which is {@code legs}.
 *
 * @param type of the record
 * @param name what people call one
 * @param strict whether one with a field that is unknown here, as a later version may write, can't be read
 */
record JsonForm<T>(Class<T> type, String name, boolean strict) {
    private static final Logger LOG = LoggerFactory.getLogger(JsonForm.class);

    /** Made for the first record and not for the first form, which each start has: it takes a tenth of a start. */
    private static final class Databinding {
        static final JsonMapper JSON =
                JsonMapper.builder().propertyNamingStrategy(new StoredNames()).build();
    }

    /** What was written before the name changed is read on. */
    private static final class StoredNames extends PropertyNamingStrategies.NamingBase {
        private static final long serialVersionUID = 1L;

        @Override
        public String translate(String name) {
            return name.equals("progress") ? "legs" : name;
        }
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
        var reader = Databinding.JSON.readerFor(type);
        try {
            return (strict ? reader : reader.without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES))
                    .readValue(value);
        } catch (IOException e) {
            LOG.error("{} in the store can't be read and is skipped", name, e);
            return null;
        }
    }
}
