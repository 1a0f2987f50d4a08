package dev.holdfast.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** One number for each consumer and kind of mark, see {@link StateKey}. */
final class RocksConsumerMarks implements ConsumerMarks {
    private final StoreAccess access;
    private final ConsumerNumbers starts = new ConsumerNumbers(StateKey.START, 1);
    private final ConsumerNumbers paused = new ConsumerNumbers(StateKey.PAUSED, 1);

    RocksConsumerMarks(StoreAccess access) {
        this.access = access;
    }

    /** What it keeps in memory. */
    List<CachedState> states() {
        return List.of(starts, paused);
    }

    @Override
    public CompletionStage<Void> began(String consumer, long position) {
        return access.submit(group -> starts.put(group, consumer, position), 0, false);
    }

    @Override
    public CompletionStage<Void> pause(String consumer, long at) {
        return access.submit(group -> paused.put(group, consumer, at), 0, false);
    }

    @Override
    public CompletionStage<Void> resume(String consumer) {
        return access.submit(group -> paused.remove(group, consumer), 0, false);
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
