package dev.holdfast.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Positions, and the pushes that are blocked. A blocked push lies under two keys, so that the first of a lane and the
 * lowest of all are one look away each; how many there are is kept with the position, in the same write. Any thread reads.
 */
final class RocksPositions implements Positions, BlockedPushes, CachedState {
    private static final Logger LOG = LoggerFactory.getLogger(RocksPositions.class);

    /**
     * What is known of one consumer.
     *
     * @param lowest the lowest blocked position; the highest number when there is none
     */
    private record Place(long position, long blocked, long lowest) {
        static final Place NEW = new Place(0, 0, Long.MAX_VALUE);
    }

    private final DurableMap<Place> places = new DurableMap<>();
    private final StoreAccess access;

    RocksPositions(StoreAccess access) {
        this.access = access;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        Map<String, Place> found = new HashMap<>();
        for (StoredPositions.Position position : StoredPositions.of(database)) {
            byte[] prefix = BlockedPushForm.prefix(position.consumer());
            long lowest = position.blocked() == 0
                    ? Long.MAX_VALUE
                    : database.scan(ColumnFamily.BLOCKED_BY_SEQ, prefix).first(Scan::number, Long.MAX_VALUE);
            found.put(position.consumer(), new Place(position.seq(), position.blocked(), lowest));
        }
        places.load(found);
    }

    @Override
    public Map<String, Long> all() {
        access.requireLoaded();
        return places.durable().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().position()));
    }

    @Override
    public CompletionStage<Void> save(Checkpoint checkpoint, boolean urgent) {
        long bytes = 64L * (checkpoint.blocked().size() + checkpoint.released().size());
        return access.submit(group -> add(group, checkpoint), bytes, urgent);
    }

    @Override
    public CompletionStage<Void> remove(String consumer) {
        return access.submit(group -> forget(group, consumer));
    }

    private void add(Group group, Checkpoint checkpoint) throws RocksDBException {
        String consumer = checkpoint.consumer();
        Place before = places.current(consumer);
        long blocked = before == null ? 0 : before.blocked();
        long from = before == null ? Long.MAX_VALUE : before.lowest();
        for (BlockedPush.Key key : checkpoint.released()) {
            byte[] byLane = BlockedPushForm.byLane(consumer, key);
            if (blocked > 0 && group.get(ColumnFamily.BLOCKED, byLane) != null) {
                group.delete(ColumnFamily.BLOCKED, byLane);
                group.delete(ColumnFamily.BLOCKED_BY_SEQ, BlockedPushForm.bySeq(consumer, key));
                blocked--;
            }
        }
        for (BlockedPush push : checkpoint.blocked()) {
            blocked += keep(group, consumer, push) ? 1 : 0;
            from = Math.min(from, push.key().seq());
        }
        long lowest = blocked == 0 ? Long.MAX_VALUE : lowestFrom(group, consumer, from);
        places.put(group, consumer, new Place(checkpoint.position(), blocked, lowest));
        group.put(ColumnFamily.POSITIONS, name(consumer), StateKey.numbers(checkpoint.position(), blocked));
    }

    /**
     * One that is noted anew and merely waits leaves what is known of its attempts.
     *
     * @return whether it was not there
     */
    private static boolean keep(Group group, String consumer, BlockedPush push) throws RocksDBException {
        byte[] byLane = BlockedPushForm.byLane(consumer, push.key());
        boolean added = group.get(ColumnFamily.BLOCKED, byLane) == null;
        if (added) {
            group.put(ColumnFamily.BLOCKED_BY_SEQ, BlockedPushForm.bySeq(consumer, push.key()));
        }
        if (added || push.retry() != null) {
            group.put(ColumnFamily.BLOCKED, byLane, BlockedPushForm.value(push.retry()));
        }
        return added;
    }

    /** Where it can't be read, {@code from} stays until the next checkpoint, for below it there is none for sure. */
    private static long lowestFrom(Group group, String consumer, long from) {
        byte[] prefix = BlockedPushForm.prefix(consumer);
        byte[] key = BlockedPushForm.bySeq(consumer, new BlockedPush.Key("", from));
        try {
            return group.scan(ColumnFamily.BLOCKED_BY_SEQ, prefix, key).first(Scan::number, Long.MAX_VALUE);
        } catch (RocksDBException e) {
            LOG.atWarn()
                    .addKeyValue("consumer", consumer)
                    .log("{}: its lowest blocked push can't be looked up: {}", consumer, e.getMessage());
            return from;
        }
    }

    private void forget(Group group, String consumer) throws RocksDBException {
        byte[] prefix = BlockedPushForm.prefix(consumer);
        group.deleteAll(ColumnFamily.BLOCKED, prefix);
        group.deleteAll(ColumnFamily.BLOCKED_BY_SEQ, prefix);
        group.delete(ColumnFamily.POSITIONS, name(consumer));
        group.flush();
        places.remove(group, consumer);
    }

    private static byte[] name(String consumer) {
        byte[] prefix = BlockedPushForm.prefix(consumer);
        return Arrays.copyOf(prefix, prefix.length - 1);
    }

    @Override
    public long count(String consumer) {
        access.requireLoaded();
        return places.durable().getOrDefault(consumer, Place.NEW).blocked();
    }

    @Override
    public long neededFrom(String consumer) {
        Place place = places.durable().get(consumer);
        return place == null ? 0 : Math.min(place.position() + 1, place.lowest());
    }

    @Override
    public List<BlockedPush> firstOfEachLane(String consumer, int max) {
        byte[] prefix = BlockedPushForm.prefix(consumer);
        return access.readingWhole(database -> {
            List<BlockedPush> found = new ArrayList<>();
            try (Scan blocked = database.scan(ColumnFamily.BLOCKED, prefix)) {
                while (found.size() < max && blocked.next()) {
                    BlockedPush first = BlockedPushForm.decode(prefix, blocked.key(), blocked.value());
                    found.add(first);
                    blocked.skipTo(BlockedPushForm.end(
                            BlockedPushForm.prefix(consumer, first.key().lane())));
                }
            }
            return found;
        });
    }

    @Override
    public List<BlockedPush> ofLane(String consumer, String lane, long from, int max) {
        byte[] prefix = BlockedPushForm.prefix(consumer);
        byte[] ofLane = BlockedPushForm.prefix(consumer, lane);
        byte[] first = BlockedPushForm.byLane(consumer, new BlockedPush.Key(lane, from));
        return access.readingWhole(database -> database.scan(ColumnFamily.BLOCKED, ofLane, first)
                .list(max, blocked -> BlockedPushForm.decode(prefix, blocked.key(), blocked.value())));
    }

    @Override
    public Optional<BlockedPush> at(String consumer, long seq) {
        if (count(consumer) == 0) {
            return Optional.empty();
        }
        byte[] prefix = BlockedPushForm.prefix(consumer);
        byte[] first = BlockedPushForm.bySeq(consumer, new BlockedPush.Key("", seq));
        return access.readingWhole(database -> {
            try (Scan blocked = database.scan(ColumnFamily.BLOCKED_BY_SEQ, prefix, first)) {
                if (!blocked.next() || blocked.number() != seq) {
                    return Optional.empty();
                }
                byte[] key = BlockedPushForm.byLane(consumer, BlockedPushForm.place(prefix, blocked.key()));
                byte[] value = database.get(ColumnFamily.BLOCKED, key);
                return value == null ? Optional.empty() : Optional.of(BlockedPushForm.decode(prefix, key, value));
            }
        });
    }

    @Override
    public List<Long> lastOfEachLane(String consumer) {
        byte[] prefix = BlockedPushForm.prefix(consumer);
        byte[] end = BlockedPushForm.end(prefix);
        return access.readingWhole(database -> {
            List<Long> found = new ArrayList<>();
            // One for all lanes: each begins with reading a block from the disk.
            try (Scan blocked = database.scanBackwards(ColumnFamily.BLOCKED, prefix, end)) {
                while (blocked.next()) {
                    byte[] ofLane = Arrays.copyOf(blocked.key(), blocked.key().length - Long.BYTES);
                    found.add(StateKey.number(ofLane, blocked.key()));
                    blocked.skipTo(ofLane);
                }
            }
            Collections.reverse(found);
            return found;
        });
    }

    @Override
    public long last(String consumer) {
        if (count(consumer) == 0) {
            return 0;
        }
        byte[] prefix = BlockedPushForm.prefix(consumer);
        byte[] end = BlockedPushForm.end(prefix);
        return access.reading(database ->
                database.scanBackwards(ColumnFamily.BLOCKED_BY_SEQ, prefix, end).first(Scan::number, 0L));
    }

    /** Those of a damaged part are told by whoever needs them to go on. */
    @Override
    public List<BlockedPush.Key> keys(String consumer, int max) {
        if (count(consumer) == 0) {
            return List.of();
        }
        byte[] prefix = BlockedPushForm.prefix(consumer);
        return access.reading(database -> database.scan(ColumnFamily.BLOCKED_BY_SEQ, prefix)
                .list(max, blocked -> BlockedPushForm.place(prefix, blocked.key())));
    }
}
