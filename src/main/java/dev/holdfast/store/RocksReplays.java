package dev.holdfast.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** See {@link Replays}. Each lies under its id, as a {@link JsonForm}. */
final class RocksReplays implements Replays {
    private static final JsonForm<Replay> FORM = new JsonForm<>(Replay.class, "a replay");

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
        return access.submit(group -> group.put(ColumnFamily.REPLAYS, key(replay.id()), value));
    }

    @Override
    public CompletionStage<Void> remove(String id) {
        return access.submit(group -> group.delete(ColumnFamily.REPLAYS, key(id)));
    }

    @Override
    public List<Replay> all() {
        return access.reading(database ->
                database.scan(ColumnFamily.REPLAYS).list(Integer.MAX_VALUE, replay -> FORM.decode(replay.value())));
    }
}
