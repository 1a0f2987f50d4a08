package dev.holdfast.store;

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
    static final JsonForm<AuditEntry> FORM = new JsonForm<>(AuditEntry.class, "an entry of the audit");

    private final StoreAccess access;
    /** Of the writer thread. */
    private long last;

    RocksAudit(StoreAccess access) {
        this.access = access;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        last = database.scanBackwards(ColumnFamily.STATE, PREFIX, StateKey.key(PREFIX, Long.MAX_VALUE))
                .first(Scan::number, 0L);
    }

    @Override
    public CompletionStage<Void> add(AuditEntry entry) {
        byte[] value = FORM.encode(entry);
        return access.submit(group -> {
            last++;
            group.put(ColumnFamily.STATE, StateKey.key(PREFIX, last), value);
            group.delete(ColumnFamily.STATE, StateKey.key(PREFIX, last - MOST));
        });
    }

    @Override
    public List<Line> newest(long below, int max) {
        return access.reading(database -> database.scanBackwards(
                        ColumnFamily.STATE, PREFIX, StateKey.key(PREFIX, below - 1))
                .list(max, line -> {
                    AuditEntry entry = FORM.decode(line.value());
                    return entry == null ? null : new Line(line.number(), entry);
                }));
    }
}
