package dev.holdfast.store;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.rocksdb.RocksDBException;

/** One number for each consumer and kind of mark, see {@link StateKey}. */
final class RocksConsumerMarks implements ConsumerMarks, CachedState {
    private final StoreAccess access;
    private final ConsumerNumbers starts = new ConsumerNumbers(StateKey.START, 1);
    private final ConsumerNumbers paused = new ConsumerNumbers(StateKey.PAUSED, 1);

    RocksConsumerMarks(StoreAccess access) {
        this.access = access;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        starts.load(database);
        paused.load(database);
    }

    @Override
    public CompletionStage<Void> began(String consumer, long position) {
        return access.submit(group -> starts.put(group, consumer, position));
    }

    @Override
    public CompletionStage<Void> pause(String consumer, long at) {
        return access.submit(group -> paused.put(group, consumer, at));
    }

    @Override
    public CompletionStage<Void> resume(String consumer) {
        return access.submit(group -> paused.remove(group, consumer));
    }

    @Override
    public Map<String, Long> starts() {
        access.requireLoaded();
        return starts.first();
    }

    @Override
    public Map<String, Long> paused() {
        access.requireLoaded();
        return paused.first();
    }
}
