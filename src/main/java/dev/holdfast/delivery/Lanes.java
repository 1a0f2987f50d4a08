package dev.holdfast.delivery;

import dev.holdfast.delivery.Lane.State;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPush.RetryState;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of one source that have something to do. Bounds the memory of all of them together: what a blocked lane has in memory
 * is noted, and forgotten as soon as there is no room. On the delivery's event loop.
 */
final class Lanes {
    private final Limits limits;
    private final Checkpoints checkpoints;
    private final LaneScheduler scheduler;
    private final boolean readAgain;
    private final Map<String, Lane> lanes = new HashMap<>();
    /** Those that the store has references of, or gets them. */
    private final Set<Lane> blocked = new LinkedHashSet<>();

    /** Blocked ones that have something in memory and not their turn. */
    private final Set<Lane> evictable = new LinkedHashSet<>();

    private int pushes;
    private long bytes;

    /** @param readAgain whether a push may go from the source, so that it is read once more right before each attempt */
    Lanes(Limits limits, Checkpoints checkpoints, LaneScheduler scheduler, boolean readAgain) {
        this.limits = limits;
        this.checkpoints = checkpoints;
        this.scheduler = scheduler;
        this.readAgain = readAgain;
    }

    /** Goes on with a lane that was blocked in a life before. */
    void restore(Resumption.BlockedLane blockedLane) {
        BlockedPush first = blockedLane.first();
        Lane lane = lanes.computeIfAbsent(first.key().lane(), Lane::new);
        lane.restore(first, blockedLane.last());
        blocked.add(lane);
        scheduler.ready(lane);
    }

    /** Whether pushes that come in may be kept in memory. */
    boolean hasRoom() {
        return !limits.isFull(pushes, bytes) && checkpoints.hasRoom() && !areTooManyFailed();
    }

    /** Whether more may be read into memory, which is less. */
    boolean hasRoomToRead() {
        if (isReadFull()) {
            List.copyOf(evictable).forEach(this::evict);
        }
        return !isReadFull() && checkpoints.hasRoom() && !areTooManyFailed();
    }

    /** Whether so many lanes' first pushes fail that what is remembered of them fills the memory there is for it. */
    boolean areTooManyFailed() {
        return scheduler.backingOff() >= limits.failedLanes();
    }

    boolean isReadFull() {
        return limits.isReadFull(pushes, bytes);
    }

    /**
     * Takes in the next push of the source.
     *
     * @return whether it waits in memory
     */
    boolean take(LaneEntry entry) {
        Lane lane = lanes.computeIfAbsent(entry.key().lane(), Lane::new);
        boolean inMemory = !lane.takesReferences();
        if (inMemory) {
            enter(lane, entry);
            checkpoints.opened(entry.key());
        } else {
            lane.addReference(entry.seq());
            checkpoints.note(entry.key());
        }
        // Not before: where there was no memory for it, it is read again.
        checkpoints.reached(entry.seq());
        wake(lane);
        return inMemory;
    }

    @Nullable
    Lane get(String key) {
        return lanes.get(key);
    }

    int size() {
        return lanes.size();
    }

    /** Lanes that the store has references of, or gets them. */
    int blocked() {
        return blocked.size();
    }

    /** Those that are {@link #blocked}. */
    Iterable<Lane> blockedLanes() {
        return blocked;
    }

    /** The first position of a lane that may not be done; what was not read yet is not. */
    long undoneFrom(String key) {
        Lane lane = lanes.get(key);
        long next = checkpoints.front() + 1;
        return lane == null || lane.isDone() ? next : Math.min(next, lane.firstUndone());
    }

    /** The lowest position that is in some lane. */
    long lowestUndone() {
        return lanes.values().stream().mapToLong(Lane::firstUndone).min().orElse(Long.MAX_VALUE);
    }

    /** A lane that was held back, or had nothing, may try again. */
    void wake(@Nullable Lane lane) {
        if (lane != null && (lane.state() == State.HELD || lane.state() == State.IDLE)) {
            scheduler.ready(lane);
        }
    }

    /** Next references of a lane were looked up, and are in memory from now on; those whose pushes are gone are done. */
    void loaded(Lane lane, SourcePages.Page references) {
        references.entries().forEach(entry -> enter(lane, entry));
        references.gone().forEach(checkpoints::done);
        lane.lookedUp(references.upTo());
    }

    /** The first push of a lane is done. */
    void done(Lane lane) {
        LaneEntry entry = lane.removeFirst();
        leave(entry);
        checkpoints.done(entry.key());
    }

    /** A lane's turn has come: what it has in memory is needed, or to be read once more. */
    void begun(Lane lane) {
        lane.becomes(State.IN_FLIGHT);
        evictable.remove(lane);
        if (readAgain) {
            evict(lane);
        }
    }

    /** The first push of a lane has failed: all of the lane is noted. */
    void failed(Lane lane, RetryState retry) {
        lane.failed(retry);
        checkpoints.note(new BlockedPush(lane.first().key(), retry));
        noteAll(lane);
    }

    /**
     * A lane's turn is over.
     *
     * @param delayMillis until the next; 0: none
     */
    void ended(Lane lane, long delayMillis) {
        lane.returned();
        if (lane.isDone()) {
            lane.becomes(State.IDLE);
            lanes.remove(lane.key());
            blocked.remove(lane);
            return;
        }
        if (lane.hasReferences() || checkpoints.isNoted(lane.first().key())) {
            blocked.add(lane);
            evictable.add(lane);
        } else {
            blocked.remove(lane);
        }
        if (delayMillis > 0) {
            scheduler.backOff(lane, delayMillis);
        } else {
            scheduler.ready(lane);
        }
    }

    /** Notes what lanes have in memory that don't come on, so that others' pushes find room there. */
    void overflow() {
        for (Lane lane : lanes.values()) {
            if (lane.hasEntries()) {
                blocked.add(lane);
                evict(lane);
            }
        }
    }

    private void noteAll(Lane lane) {
        for (LaneEntry entry : lane.entries()) {
            if (!checkpoints.isNoted(entry.key())) {
                checkpoints.note(entry.key());
            }
        }
    }

    private void evict(Lane lane) {
        evictable.remove(lane);
        noteAll(lane);
        lane.evict().forEach(this::leave);
    }

    private void enter(Lane lane, LaneEntry entry) {
        lane.add(entry);
        pushes++;
        bytes += entry.bytes();
    }

    private void leave(LaneEntry entry) {
        pushes--;
        bytes -= entry.bytes();
    }
}
