package dev.holdfast.store;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** See {@link Cursors}. */
final class RocksCursors implements Cursors, CachedState {
    private final Map<String, Progress> durable = new ConcurrentHashMap<>();
    private final Map<String, Progress> changed = new HashMap<>();
    private final StoreWriter writer;

    RocksCursors(StoreWriter writer) {
        this.writer = writer;
    }

    @Override
    public Map<String, Progress> all() {
        writer.requireLoaded();
        return Map.copyOf(durable);
    }

    @Override
    public CompletionStage<Void> save(String consumer, Progress progress, boolean urgent) {
        byte[] key = StateKey.of(StateKey.CURSOR, consumer);
        return writer.submit(
                group -> {
                    group.put(ColumnFamily.STATE, key, ProgressForm.encode(progress));
                    changed.put(consumer, progress);
                },
                0,
                urgent);
    }

    @Override
    public void load(Database database) throws RocksDBException {
        Map<String, Progress> found = new HashMap<>();
        try (RocksIterator cursor = database.scan(ColumnFamily.STATE)) {
            for (cursor.seek(StateKey.CURSOR);
                    cursor.isValid() && BlockedPushForm.hasPrefix(cursor.key(), StateKey.CURSOR);
                    cursor.next()) {
                found.put(StateKey.consumer(StateKey.CURSOR, cursor.key()), ProgressForm.decode(cursor.value()));
            }
            cursor.status();
        }
        durable.keySet().retainAll(found.keySet());
        durable.putAll(found);
    }

    @Override
    public void committed(Database database) {
        durable.putAll(changed);
        changed.clear();
    }

    @Override
    public void abandoned() {
        changed.clear();
    }
}
