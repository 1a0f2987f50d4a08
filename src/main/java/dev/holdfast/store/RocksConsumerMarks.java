package dev.holdfast.store;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** One number for each consumer and kind of mark, see {@link StateKey}. */
final class RocksConsumerMarks implements ConsumerMarks, CachedState {
    private static final long NONE = Long.MIN_VALUE;

    private final StoreAccess access;
    private final Map<String, Long> starts = new ConcurrentHashMap<>();
    private final Map<String, Long> paused = new ConcurrentHashMap<>();
    /** By the group under way; {@link #NONE}: there is none any more. Of the writer thread. */
    private final Map<String, Long> startsChanged = new HashMap<>();

    private final Map<String, Long> pausedChanged = new HashMap<>();

    RocksConsumerMarks(StoreAccess access) {
        this.access = access;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        load(database, StateKey.START, starts);
        load(database, StateKey.PAUSED, paused);
    }

    private static void load(Database database, byte[] kind, Map<String, Long> marks) throws RocksDBException {
        Map<String, Long> found = new HashMap<>();
        try (RocksIterator mark = database.scan(ColumnFamily.STATE)) {
            for (mark.seek(kind); mark.isValid() && BlockedPushForm.hasPrefix(mark.key(), kind); mark.next()) {
                found.put(StateKey.consumer(kind, mark.key()), StateKey.number(mark.value(), 0));
            }
            mark.status();
        }
        marks.keySet().retainAll(found.keySet());
        marks.putAll(found);
    }

    @Override
    public CompletionStage<Void> began(String consumer, long position) {
        return access.submit(group -> mark(group, StateKey.START, startsChanged, consumer, position), 0, false);
    }

    @Override
    public CompletionStage<Void> pause(String consumer, long at) {
        return access.submit(group -> mark(group, StateKey.PAUSED, pausedChanged, consumer, at), 0, false);
    }

    @Override
    public CompletionStage<Void> resume(String consumer) {
        return access.submit(group -> mark(group, StateKey.PAUSED, pausedChanged, consumer, null), 0, false);
    }

    private static void mark(
            Group group, byte[] kind, Map<String, Long> changed, String consumer, @Nullable Long number)
            throws RocksDBException {
        changed.put(consumer, number == null ? NONE : number);
        group.keep(ColumnFamily.STATE, StateKey.of(kind, consumer), number == null ? null : StateKey.numbers(number));
    }

    @Override
    public Map<String, Long> starts() {
        access.requireLoaded();
        return Map.copyOf(starts);
    }

    @Override
    public Map<String, Long> paused() {
        access.requireLoaded();
        return Map.copyOf(paused);
    }

    @Override
    public void committed(Database database) {
        apply(startsChanged, starts);
        apply(pausedChanged, paused);
        abandoned();
    }

    private static void apply(Map<String, Long> changed, Map<String, Long> marks) {
        changed.forEach((consumer, number) -> {
            if (number == NONE) {
                marks.remove(consumer);
            } else {
                marks.put(consumer, number);
            }
        });
    }

    @Override
    public void abandoned() {
        startsChanged.clear();
        pausedChanged.clear();
    }
}
