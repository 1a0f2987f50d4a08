package dev.holdfast.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** See {@link Audit}. */
final class RocksAudit implements Audit, CachedState {
    private static final Logger LOG = LoggerFactory.getLogger(RocksAudit.class);

    private final StoreAccess access;
    /** Both of the writer thread. */
    private long last;

    private long durable;

    RocksAudit(StoreAccess access) {
        this.access = access;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        durable = 0;
        try (RocksIterator newest = database.scan(ColumnFamily.STATE)) {
            newest.seekForPrev(AuditForm.key(Long.MAX_VALUE));
            if (isOne(newest)) {
                durable = AuditForm.number(newest.key());
            }
            newest.status();
        }
        last = durable;
    }

    @Override
    public CompletionStage<Void> add(AuditEntry entry) {
        byte[] value = AuditForm.encode(entry);
        return access.submit(
                group -> {
                    last++;
                    group.put(ColumnFamily.STATE, AuditForm.key(last), value);
                    group.delete(ColumnFamily.STATE, AuditForm.key(last - MOST));
                },
                value.length,
                false);
    }

    @Override
    public List<Line> newest(long below, int max) {
        return access.reading(database -> {
            List<Line> found = new ArrayList<>();
            try (RocksIterator newest = database.scan(ColumnFamily.STATE)) {
                for (newest.seekForPrev(AuditForm.key(below - 1)); isOne(newest) && found.size() < max; newest.prev()) {
                    try {
                        found.add(new Line(AuditForm.number(newest.key()), AuditForm.decode(newest.value())));
                    } catch (StoreException e) {
                        LOG.warn("an entry of the audit is passed over: {}", e.getMessage());
                    }
                }
                newest.status();
            }
            return found;
        });
    }

    private static boolean isOne(RocksIterator iterator) {
        return iterator.isValid() && BlockedPushForm.hasPrefix(iterator.key(), AuditForm.PREFIX);
    }

    @Override
    public void committed(Database database) {
        durable = last;
    }

    @Override
    public void abandoned() {
        last = durable;
    }
}
