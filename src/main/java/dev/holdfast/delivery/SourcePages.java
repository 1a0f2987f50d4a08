package dev.holdfast.delivery;

import dev.holdfast.journal.OrderedPushes;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What a consumer wants of a source, a page at a time, each push with the lane that it belongs to. Any thread. */
final class SourcePages {
    private final OrderedPushes source;
    private final Predicate<PushRecord> wanted;
    private final LaneKeys keys;
    private final boolean readAgain;
    private final int most;

    /**
     * Pushes that are wanted, not in their lanes yet.
     *
     * @param upTo there is nothing else up to here
     */
    record Page(List<LaneEntry> entries, long upTo) {}

    /**
     * @param readAgain whether a push is read once more before each attempt, and not kept in memory till then
     * @param most pushes of one page
     */
    SourcePages(OrderedPushes source, Predicate<PushRecord> wanted, LaneKeys keys, boolean readAgain, int most) {
        this.source = source;
        this.wanted = wanted;
        this.keys = keys;
        this.readAgain = readAgain;
        this.most = most;
    }

    /** The next one, of the positions up to {@code last}. Blocks. */
    Page read(long from, long last) {
        List<PushRecord> pushes = source.read(from, most, Limits.PAGE_BYTES);
        long newest = pushes.isEmpty() ? last : pushes.get(pushes.size() - 1).seq();
        return of(pushes, Math.min(newest, last));
    }

    /** One of pushes that follow each other, up to a position. */
    Page of(List<PushRecord> pushes, long upTo) {
        List<LaneEntry> entries = new ArrayList<>(pushes.size());
        for (PushRecord push : pushes) {
            if (push.seq() <= upTo && wanted.test(push)) {
                BlockedPush.Key key = new BlockedPush.Key(keys.lane(push), push.seq());
                entries.add(new LaneEntry(key, readAgain ? null : push, null, false));
            }
        }
        return new Page(entries, upTo);
    }
}
