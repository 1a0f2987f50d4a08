package dev.holdfast.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The reading of blocked pushes, which {@link RocksPositions} writes: in the order of lanes, or of positions. Any thread. */
final class RocksBlockedPushes implements BlockedPushes {
    private final StoreAccess access;
    private final RocksPositions positions;

    RocksBlockedPushes(StoreAccess access, RocksPositions positions) {
        this.access = access;
        this.positions = positions;
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
                .list(max, (key, value) -> BlockedPushForm.decode(prefix, key, value)));
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
                if (!blocked.next() || StateKey.number(prefix, blocked.key()) != seq) {
                    return Optional.empty();
                }
                byte[] key = BlockedPushForm.byLane(consumer, BlockedPushForm.place(prefix, blocked.key()));
                byte[] value = database.get(ColumnFamily.BLOCKED, key);
                return value == null ? Optional.empty() : Optional.of(BlockedPushForm.decode(prefix, key, value));
            }
        });
    }

    @Override
    public long lastOfLane(String consumer, String lane) {
        byte[] ofLane = BlockedPushForm.prefix(consumer, lane);
        byte[] end = BlockedPushForm.end(ofLane);
        return access.readingWhole(database -> database.scanBackwards(ColumnFamily.BLOCKED, ofLane, end)
                .first((key, value) -> StateKey.number(ofLane, key), 0L));
    }

    @Override
    public long last(String consumer) {
        if (count(consumer) == 0) {
            return 0;
        }
        byte[] prefix = BlockedPushForm.prefix(consumer);
        byte[] end = BlockedPushForm.end(prefix);
        return access.reading(database -> database.scanBackwards(ColumnFamily.BLOCKED_BY_SEQ, prefix, end)
                .first((key, value) -> StateKey.number(prefix, key), 0L));
    }

    /** Those of a damaged part are told by whoever needs them to go on. */
    @Override
    public List<BlockedPush.Key> keys(String consumer, int max) {
        if (count(consumer) == 0) {
            return List.of();
        }
        byte[] prefix = BlockedPushForm.prefix(consumer);
        return access.reading(database -> database.scan(ColumnFamily.BLOCKED_BY_SEQ, prefix)
                .list(max, (key, value) -> BlockedPushForm.place(prefix, key)));
    }

    @Override
    public long neededFrom(String consumer) {
        return positions.neededFrom(consumer);
    }

    @Override
    public long count(String consumer) {
        return positions.durable(consumer).blocked();
    }
}
