package dev.holdfast.delivery;

import dev.holdfast.journal.OrderedPushes;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads back what lanes have noted and lack for their turn. On the delivery's event loop; the disk is read elsewhere. */
final class ReadBack {
    private static final Logger LOG = LoggerFactory.getLogger(ReadBack.class);

    private final String name;
    private final DeliveryContext delivery;
    private final OrderedPushes source;
    private final Lanes lanes;
    private final Checkpoints checkpoints;
    private final Predicate<PushRecord> wanted;
    private final boolean mayBeWithdrawn;
    /** Pushes at once, and bytes of bodies. */
    private final Limits limits;

    /**
     * What a lane lacks.
     *
     * @param entries of the lane, or, where it had none in memory, new ones for its next references; in their order
     * @param bodies of the first of them; empty where a push is gone
     * @param upTo the lane has no other references up to here
     */
    private record Found(List<LaneEntry> entries, List<Optional<PushRecord>> bodies, long upTo) {}

    /**
     * @param name under which the references are kept
     * @param mayBeWithdrawn whether pushes may go from the source, so that they are read again before each attempt
     */
    ReadBack(
            String name,
            OrderedPushes source,
            Lanes lanes,
            Checkpoints checkpoints,
            DeliveryContext delivery,
            Limits limits,
            Predicate<PushRecord> wanted,
            boolean mayBeWithdrawn) {
        this.name = name;
        this.source = source;
        this.lanes = lanes;
        this.checkpoints = checkpoints;
        this.delivery = delivery;
        this.wanted = wanted;
        this.mayBeWithdrawn = mayBeWithdrawn;
        this.limits = limits;
    }

    /** For a lane whose turn has begun; at once where all is in memory. */
    Future<Void> load(Lane lane) {
        List<LaneEntry> missing = missing(lane);
        if (!missing.isEmpty()) {
            return read(lane, () -> new Found(missing, bodies(missing), 0));
        }
        if (lane.hasEntries()) {
            return Future.succeededFuture();
        }
        long from = lane.nextReference();
        Collection<BlockedPush> unsaved = checkpoints.unsaved(lane.key(), from);
        // What comes beyond it may not have been taken in yet.
        long front = checkpoints.front();
        return read(lane, () -> references(lane.key(), from, unsaved, front));
    }

    /** Those of a lane's first pushes that have to be read before they are sent. */
    private List<LaneEntry> missing(Lane lane) {
        List<LaneEntry> missing = new ArrayList<>();
        int wantedNow = lane.hasFailed() ? 1 : limits.batch();
        for (LaneEntry entry : lane.entries()) {
            if (mayBeWithdrawn) {
                entry.push = null;
            }
            if (entry.push != null) {
                break;
            }
            if (missing.size() < wantedNow) {
                missing.add(entry);
            }
        }
        return missing;
    }

    private Future<Void> read(Lane lane, Callable<Found> lookup) {
        return delivery.reading(lookup).map(found -> {
            for (LaneEntry entry : found.entries()) {
                if (!lane.reaches(entry.seq())) {
                    lane.add(entry);
                }
            }
            for (int i = 0; i < found.bodies().size(); i++) {
                LaneEntry entry = found.entries().get(i);
                found.bodies().get(i).filter(wanted).ifPresent(body -> lanes.loaded(entry, body));
            }
            lane.lookedUp(found.upTo());
            for (int i = 0; i < found.bodies().size() && lane.first().push == null; i++) {
                if (!mayBeWithdrawn) {
                    long seq = lane.first().seq();
                    LOG.atWarn()
                            .addKeyValue("consumer", name)
                            .addKeyValue("seq", seq)
                            .log("{}: push {} is no longer kept, or wanted, and was not delivered", name, seq);
                }
                lanes.done(lane);
            }
            return null;
        });
    }

    /** Blocks. */
    private List<Optional<PushRecord>> bodies(Collection<LaneEntry> entries) {
        List<Optional<PushRecord>> bodies = new ArrayList<>();
        long bytes = 0;
        for (LaneEntry entry : entries) {
            if (bytes >= limits.readBackBytes()) {
                break;
            }
            Optional<PushRecord> push = source.get(entry.seq());
            bytes += push.map(body -> body.body().length).orElse(0);
            bodies.add(push);
        }
        return bodies;
    }

    /**
     * The next references of a lane. Blocks.
     *
     * @param unsaved what the store may not know yet
     * @param front none beyond it is wanted
     */
    private Found references(String lane, long from, Collection<BlockedPush> unsaved, long front) {
        int most = limits.batch();
        List<BlockedPush> stored = delivery.store().blockedPushes().ofLane(name, lane, from, most);
        long end = stored.size() < most ? front : stored.get(most - 1).key().seq();
        NavigableMap<Long, BlockedPush> references = new TreeMap<>();
        stored.forEach(reference -> references.put(reference.key().seq(), reference));
        // The store may know what has happened to a push that is noted anew.
        unsaved.forEach(reference ->
                references.merge(reference.key().seq(), reference, (old, one) -> one.retry() == null ? old : one));
        NavigableMap<Long, BlockedPush> open = references.headMap(Math.min(end, front), true);
        List<LaneEntry> next = open.values().stream()
                .limit(most)
                .map(reference -> new LaneEntry(reference.key(), null, reference.retry(), true))
                .toList();
        boolean all = next.size() == open.size() && end >= front;
        return new Found(
                next, bodies(next), all ? front : next.get(next.size() - 1).seq());
    }
}
