package dev.holdfast.store;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The byte form of the audit, in {@link ColumnFamily#STATE}: {@code audit/} and the number, 8 bytes big-endian, to a JSON object
 * with the fields of an {@link AuditEntry}. Others that a later version writes are passed over.
 */
final class AuditForm {
    static final byte[] PREFIX = "audit/".getBytes(StandardCharsets.US_ASCII);

    /** Made for the first entry and not for its key, which each start looks for: it takes a tenth of a start. */
    private static final class Databinding {
        static final JsonMapper JSON = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    private AuditForm() {}

    static byte[] key(long number) {
        return ByteBuffer.allocate(PREFIX.length + Long.BYTES)
                .put(PREFIX)
                .putLong(number)
                .array();
    }

    static long number(byte[] key) {
        return ByteBuffer.wrap(key).getLong(PREFIX.length);
    }

    static byte[] encode(AuditEntry entry) {
        try {
            return Databinding.JSON.writeValueAsBytes(entry);
        } catch (IOException e) {
            throw new StoreException("can't write an entry of the audit", e);
        }
    }

    static AuditEntry decode(byte[] value) {
        try {
            return Databinding.JSON.readValue(value, AuditEntry.class);
        } catch (IOException e) {
            throw new StoreException("can't read an entry of the audit back", e);
        }
    }
}
