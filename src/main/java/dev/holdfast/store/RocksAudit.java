package dev.holdfast.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.rocksdb.RocksDBException;

/**
 * See {@link Audit}. In {@link ColumnFamily#STATE}: {@code audit/} and the number, 8 bytes big-endian, to a {@link JsonForm}, in
 * which what a later version adds is passed over.
 */
final class RocksAudit implements Audit, CachedState {
    private static final byte[] PREFIX = "audit/".getBytes(StandardCharsets.US_ASCII);
    static final JsonForm<AuditEntry> FORM = new JsonForm<>(AuditEntry.class, "an entry of the audit", false);

    private final StoreAccess access;
    /** Of the writer thread. */
    private long last;

    RocksAudit(StoreAccess access) {
        this.access = access;
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(PREFIX.length + Long.BYTES)
                .put(PREFIX)
                .putLong(number)
                .array();
    }

    private static long number(byte[] key) {
        return ByteBuffer.wrap(key).getLong(PREFIX.length);
    }

    @Override
    public void load(Database database) throws RocksDBException {
        last = database.scanBackwards(ColumnFamily.STATE, PREFIX, key(Long.MAX_VALUE))
                .first((key, value) -> number(key), 0L);
    }

    @Override
    public CompletionStage<Void> add(AuditEntry entry) {
        byte[] value = FORM.encode(entry);
        return access.submit(
                group -> {
                    last++;
                    group.put(ColumnFamily.STATE, key(last), value);
                    group.delete(ColumnFamily.STATE, key(last - MOST));
                },
                value.length,
                false);
    }

    @Override
    public List<Line> newest(long below, int max) {
        return access.reading(database -> database.scanBackwards(ColumnFamily.STATE, PREFIX, key(below - 1))
                .list(max, (key, value) -> {
                    AuditEntry entry = FORM.decode(value);
                    return entry == null ? null : new Line(number(key), entry);
                }));
    }
}
