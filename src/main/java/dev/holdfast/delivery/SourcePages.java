package dev.holdfast.delivery;

import dev.holdfast.journal.OrderedPushes;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What a consumer wants of a source, a page at a time: what comes next, and what a lane has noted. Any thread. */
final class SourcePages {
    private final OrderedPushes source;
    private final Predicate<PushRecord> wanted;
    private final LaneKeys keys;
    /** Pushes at once, and bytes of bodies. */
    private final Limits limits;

    /**
     * Pushes that are wanted, in their order.
     *
     * @param gone references to what is no longer kept, or wanted
     * @param upTo there is nothing else up to here
     */
    record Page(List<LaneEntry> entries, List<BlockedPush.Key> gone, long upTo) {}

    SourcePages(OrderedPushes source, Predicate<PushRecord> wanted, LaneKeys keys, Limits limits) {
        this.source = source;
        this.wanted = wanted;
        this.keys = keys;
        this.limits = limits;
    }

    /** The next one, of the positions up to {@code last}. Blocks. */
    Page next(long from, long last) {
        List<PushRecord> pushes = source.read(from, limits.page(), Limits.PAGE_BYTES);
        long newest = pushes.isEmpty() ? last : pushes.get(pushes.size() - 1).seq();
        return of(pushes, Math.min(newest, last));
    }

    /** One of pushes that follow each other, up to a position. */
    Page of(List<PushRecord> pushes, long upTo) {
        List<LaneEntry> entries = new ArrayList<>(pushes.size());
        for (PushRecord push : pushes) {
            if (push.seq() <= upTo && wanted.test(push)) {
                BlockedPush.Key key = new BlockedPush.Key(keys.lane(push), push.seq());
                entries.add(new LaneEntry(key, push, null));
            }
        }
        return new Page(entries, List.of(), upTo);
    }

    /**
     * What references of a lane stand for. Blocks.
     *
     * @param saved the next ones in the store, at most {@code most}
     * @param unsaved what the store may not know yet
     * @param front none beyond it is wanted
     */
    Page references(List<BlockedPush> saved, Collection<BlockedPush> unsaved, long front, int most) {
        NavigableMap<Long, BlockedPush> references = new TreeMap<>();
        saved.forEach(reference -> references.put(reference.key().seq(), reference));
        long upTo = saved.size() < most ? front : Math.min(front, references.lastKey());
        // The store may know what has happened to a push that is noted anew.
        unsaved.forEach(reference ->
                references.merge(reference.key().seq(), reference, (old, one) -> one.retry() == null ? old : one));
        List<LaneEntry> entries = new ArrayList<>();
        List<BlockedPush.Key> gone = new ArrayList<>();
        long bytes = 0;
        for (BlockedPush reference : references.headMap(upTo, true).values()) {
            BlockedPush.Key key = reference.key();
            if (entries.size() + gone.size() == most || bytes >= limits.readBackBytes()) {
                return new Page(entries, gone, key.seq() - 1);
            }
            PushRecord push = source.get(key.seq()).filter(wanted).orElse(null);
            if (push == null) {
                gone.add(key);
            } else {
                entries.add(new LaneEntry(key, push, reference.retry()));
                bytes += push.body().length;
            }
        }
        return new Page(entries, gone, upTo);
    }
}
