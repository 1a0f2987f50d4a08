package dev.holdfast.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.rocksdb.RocksIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** See {@link Replays}. */
final class RocksReplays implements Replays {
    private static final Logger LOG = LoggerFactory.getLogger(RocksReplays.class);

    private final StoreAccess access;

    RocksReplays(StoreAccess access) {
        this.access = access;
    }

    @Override
    public CompletionStage<Void> save(Replay replay) {
        byte[] value = ReplayForm.encode(replay);
        return access.submit(
                group -> group.put(ColumnFamily.REPLAYS, ReplayForm.key(replay.id()), value), value.length, false);
    }

    @Override
    public CompletionStage<Void> remove(String id) {
        return access.submit(group -> group.delete(ColumnFamily.REPLAYS, ReplayForm.key(id)), 0, false);
    }

    @Override
    public List<Replay> all() {
        return access.reading(database -> {
            List<Replay> kept = new ArrayList<>();
            try (RocksIterator replay = database.scan(ColumnFamily.REPLAYS)) {
                for (replay.seekToFirst(); replay.isValid(); replay.next()) {
                    try {
                        kept.add(ReplayForm.decode(replay.value()));
                    } catch (StoreException e) {
                        // One that can't be read keeps nobody from anything else.
                        LOG.error("a replay in the store is passed over", e);
                    }
                }
                replay.status();
            }
            return kept;
        });
    }
}
