package dev.holdfast.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Positions, and the writing of the pushes that are blocked below them. A blocked push lies under two keys, so that the first of
 * a lane and the lowest of all are one look away each; how many there are is kept with the position, in the same write.
 */
final class RocksPositions implements Positions, CachedState {
    private static final Logger LOG = LoggerFactory.getLogger(RocksPositions.class);
    private static final byte[] NOTHING = {};

    /**
     * What is known of one consumer.
     *
     * @param lowest the lowest blocked position; the highest number when there is none
     */
    record Place(long position, long blocked, long lowest) {
        static final Place NEW = new Place(0, 0, Long.MAX_VALUE);
        /** Of a consumer that is forgotten. */
        static final Place NONE = new Place(Long.MIN_VALUE, 0, Long.MAX_VALUE);

        boolean isNone() {
            return position == NONE.position;
        }
    }

    private record Reference(String consumer, BlockedPush.Key key) {}

    private final Map<String, Place> durable = new ConcurrentHashMap<>();
    /** By the group under way. Of the writer thread, like all below. */
    private final Map<String, Place> changed = new HashMap<>();
    /** Those of {@link #changed} whose lowest one is released. */
    private final Map<String, Long> lowestReleased = new HashMap<>();
    /** Whether the group under way keeps a blocked push or releases it. */
    private final Map<Reference, Boolean> touched = new HashMap<>();
    /** Whose blocked pushes from before the group under way are no more. */
    private final Set<String> forgotten = new HashSet<>();
    /** Whose durable lowest one could not be looked up, so that it may be too low. */
    private final Set<String> unsure = new HashSet<>();

    private final StoreAccess access;

    RocksPositions(StoreAccess access) {
        this.access = access;
    }

    @Override
    public void load(Database database) throws RocksDBException {
        Map<String, Place> found = new HashMap<>();
        for (StoredPositions.Position position : StoredPositions.of(database)) {
            String consumer = position.consumer();
            long lowest = position.blocked() == 0 ? Long.MAX_VALUE : lowestFrom(database, consumer, 0);
            found.put(consumer, new Place(position.seq(), position.blocked(), lowest));
        }
        durable.keySet().retainAll(found.keySet());
        durable.putAll(found);
        unsure.clear();
    }

    private static long lowestFrom(Database database, String consumer, long seq) throws RocksDBException {
        byte[] prefix = BlockedPushForm.prefix(consumer);
        byte[] first = BlockedPushForm.bySeq(consumer, new BlockedPush.Key("", seq));
        try (Scan blocked = database.scan(ColumnFamily.BLOCKED_BY_SEQ, prefix, first)) {
            return blocked.next() ? BlockedPushForm.seq(prefix, blocked.key()) : Long.MAX_VALUE;
        }
    }

    @Override
    public Map<String, Long> all() {
        access.requireLoaded();
        return durable.entrySet().stream()
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
        return access.submit(group -> forget(group, consumer), 0, false);
    }

    @Override
    public CompletionStage<Void> restore(List<Checkpoint> noted) {
        List<Checkpoint> known = List.copyOf(noted);
        return access.submit(
                group -> {
                    for (Checkpoint checkpoint : known) {
                        if (place(checkpoint.consumer()).isNone()) {
                            add(group, checkpoint);
                        }
                    }
                },
                0,
                false);
    }

    /** As it will be when the group under way is durable. */
    private Place place(String consumer) {
        Place now = changed.get(consumer);
        return now != null ? now : durable.getOrDefault(consumer, Place.NONE);
    }

    private void add(Group group, Checkpoint checkpoint) throws RocksDBException {
        String consumer = checkpoint.consumer();
        Place before = place(consumer).isNone() ? Place.NEW : place(consumer);
        long blocked = before.blocked();
        long lowest = before.lowest();
        for (BlockedPush.Key key : checkpoint.released()) {
            if (has(group, new Reference(consumer, key))) {
                touched.put(new Reference(consumer, key), false);
                group.delete(ColumnFamily.BLOCKED, BlockedPushForm.byLane(consumer, key));
                group.delete(ColumnFamily.BLOCKED_BY_SEQ, BlockedPushForm.bySeq(consumer, key));
                blocked--;
                if (key.seq() == lowest) {
                    lowestReleased.put(consumer, lowest);
                }
            }
        }
        for (BlockedPush push : checkpoint.blocked()) {
            blocked += keep(group, consumer, push) ? 1 : 0;
            lowest = Math.min(lowest, push.key().seq());
        }
        changed.put(consumer, new Place(checkpoint.position(), blocked, lowest));
        group.put(ColumnFamily.POSITIONS, name(consumer), StateKey.numbers(checkpoint.position(), blocked));
    }

    /**
     * One that is noted anew and merely waits leaves what is known of its attempts.
     *
     * @return whether it was not there
     */
    private boolean keep(Group group, String consumer, BlockedPush push) throws RocksDBException {
        Reference reference = new Reference(consumer, push.key());
        boolean added = !has(group, reference);
        if (added) {
            touched.put(reference, true);
            group.put(ColumnFamily.BLOCKED_BY_SEQ, BlockedPushForm.bySeq(consumer, push.key()), NOTHING);
        }
        if (added || push.retry() != null) {
            byte[] retry = BlockedPushForm.value(push.retry());
            group.put(ColumnFamily.BLOCKED, BlockedPushForm.byLane(consumer, push.key()), retry);
        }
        return added;
    }

    private boolean has(Group group, Reference reference) throws RocksDBException {
        Boolean now = touched.get(reference);
        if (now != null) {
            return now;
        }
        Place known = durable.get(reference.consumer());
        return known != null
                && known.blocked() > 0
                && !forgotten.contains(reference.consumer())
                && group.before()
                        .has(ColumnFamily.BLOCKED, BlockedPushForm.byLane(reference.consumer(), reference.key()));
    }

    private void forget(Group group, String consumer) throws RocksDBException {
        byte[] prefix = BlockedPushForm.prefix(consumer);
        group.deleteAll(ColumnFamily.BLOCKED, prefix);
        group.deleteAll(ColumnFamily.BLOCKED_BY_SEQ, prefix);
        group.delete(ColumnFamily.POSITIONS, name(consumer));
        touched.keySet().removeIf(reference -> reference.consumer().equals(consumer));
        lowestReleased.remove(consumer);
        forgotten.add(consumer);
        changed.put(consumer, Place.NONE);
    }

    private static byte[] name(String consumer) {
        byte[] prefix = BlockedPushForm.prefix(consumer);
        return Arrays.copyOf(prefix, prefix.length - 1);
    }

    @Override
    public void committed(Database database) {
        changed.forEach((consumer, place) -> {
            if (place.isNone()) {
                durable.remove(consumer);
                unsure.remove(consumer);
            } else if (place.blocked() == 0 || lowestReleased.containsKey(consumer) || unsure.contains(consumer)) {
                durable.put(consumer, lookedUp(database, consumer, place));
            } else {
                durable.put(consumer, place);
            }
        });
        abandoned();
    }

    /** Where it can't be read the old one stays until the next group, for below it there is none for sure. */
    private Place lookedUp(Database database, String consumer, Place place) {
        long from = Math.min(place.lowest(), lowestReleased.getOrDefault(consumer, Long.MAX_VALUE));
        try {
            long lowest = place.blocked() == 0 ? Long.MAX_VALUE : lowestFrom(database, consumer, from);
            unsure.remove(consumer);
            return new Place(place.position(), place.blocked(), lowest);
        } catch (RocksDBException e) {
            LOG.warn("{}: its lowest blocked push can't be looked up: {}", consumer, e.getMessage());
            unsure.add(consumer);
            return new Place(place.position(), place.blocked(), from);
        }
    }

    @Override
    public void abandoned() {
        changed.clear();
        lowestReleased.clear();
        touched.clear();
        forgotten.clear();
    }

    /** See {@link BlockedPushes#neededFrom}. */
    long neededFrom(String consumer) {
        Place place = durable.get(consumer);
        return place == null ? 0 : Math.min(place.position() + 1, place.lowest());
    }

    /** What is durable of a consumer. Any thread. */
    Place durable(String consumer) {
        access.requireLoaded();
        return durable.getOrDefault(consumer, Place.NEW);
    }
}
