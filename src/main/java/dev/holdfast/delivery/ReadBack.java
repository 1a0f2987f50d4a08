package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPushes;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads back the pushes that a lane has noted. Every method blocks.
 *
 * @param name under which the references are kept
 * @param most pushes at once
 */
record ReadBack(String name, Source source, BlockedPushes blocked, int most) {
    /** No more once their bodies have reached so many bytes. */
    private static final long MAX_BYTES = 1024 * 1024;

    /**
     * References that the store may not know yet.
     *
     * @param front none beyond it is to be read: what comes before it may not have been taken in yet
     */
    record Unsaved(Collection<BlockedPush> references, long front) {}

    /**
     * What references lead to.
     *
     * @param pushes in their order; empty where a push is gone
     * @param upTo there are no others up to here
     */
    record Found(Map<BlockedPush, Optional<PushRecord>> pushes, long upTo) {}

    /** The pushes at these positions, or the first of them. */
    Map<Long, Optional<PushRecord>> bodies(List<Long> seqs) {
        Map<Long, Optional<PushRecord>> found = new LinkedHashMap<>();
        long bytes = 0;
        for (int i = 0; i < seqs.size() && bytes < MAX_BYTES; i++) {
            Optional<PushRecord> push = source.get(seqs.get(i));
            bytes += push.map(body -> body.body().length).orElse(0);
            found.put(seqs.get(i), push);
        }
        return found;
    }

    /** The next references of a lane from a position on, and what they lead to. */
    Found references(String lane, long from, Unsaved unsaved) {
        List<BlockedPush> stored = blocked.ofLane(name, lane, from, most);
        long end = stored.size() < most
                ? Long.MAX_VALUE
                : stored.get(stored.size() - 1).key().seq();
        SortedMap<Long, BlockedPush> references = new TreeMap<>();
        stored.forEach(reference -> references.put(reference.key().seq(), reference));
        for (BlockedPush reference : unsaved.references()) {
            if (reference.key().seq() <= end) {
                references.merge(reference.key().seq(), reference, (old, one) -> one.retry() == null ? old : one);
            }
        }
        SortedMap<Long, BlockedPush> open = references.headMap(unsaved.front() + 1);
        Map<Long, Optional<PushRecord>> pushes =
                bodies(open.keySet().stream().limit(most).toList());
        Map<BlockedPush, Optional<PushRecord>> found = new LinkedHashMap<>();
        long upTo = from - 1;
        for (Map.Entry<Long, Optional<PushRecord>> push : pushes.entrySet()) {
            upTo = push.getKey();
            found.put(references.get(upTo), push.getValue());
        }
        boolean none = found.size() == open.size() && end >= unsaved.front();
        return new Found(found, none ? unsaved.front() : upTo);
    }
}
