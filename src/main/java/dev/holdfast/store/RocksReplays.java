package dev.holdfast.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** See {@link Replays}. Each lies under its id, as a {@link JsonForm}. */
final class RocksReplays implements Replays {
    private static final Logger LOG = LoggerFactory.getLogger(RocksReplays.class);

    private static final JsonForm<Replay> FORM = new JsonForm<>(Replay.class, "a replay", true);

    private final StoreAccess access;

    RocksReplays(StoreAccess access) {
        this.access = access;
    }

    static byte[] key(String id) {
        return id.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public CompletionStage<Void> save(Replay replay) {
        byte[] value = FORM.encode(replay);
        return access.submit(group -> group.put(ColumnFamily.REPLAYS, key(replay.id()), value), value.length, false);
    }

    @Override
    public CompletionStage<Void> remove(String id) {
        return access.submit(group -> group.delete(ColumnFamily.REPLAYS, key(id)), 0, false);
    }

    @Override
    public List<Replay> all() {
        return access.reading(database -> {
            List<Replay> kept = new ArrayList<>();
            try (Scan replay = database.scan(ColumnFamily.REPLAYS)) {
                while (replay.next()) {
                    try {
                        kept.add(FORM.decode(replay.value()));
                    } catch (StoreException e) {
                        // One that can't be read keeps nobody from anything else.
                        LOG.error("a replay in the store is passed over", e);
                    }
                }
            }
            return kept;
        });
    }
}
