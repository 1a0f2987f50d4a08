package dev.holdfast.delivery;

import dev.holdfast.delivery.Lane.State;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPush.RetryState;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of one source that have something to do. Bounds the memory of all of them together: a blocked lane keeps the
 * position and the retry state of its first push, and the rest only while there is room. On the delivery's event loop.
 */
final class Lanes {
    private final Limits limits;
    private final Checkpoints checkpoints;
    private final LaneScheduler scheduler;
    private final Map<String, Lane> lanes = new HashMap<>();
    /** Blocked, not under way, and with pushes in memory. */
    private final Set<Lane> evictable = new LinkedHashSet<>();
    /** Only to be counted. */
    private final Set<Lane> blocked = new LinkedHashSet<>();

    private int pushes;
    private long bytes;

    Lanes(Limits limits, Checkpoints checkpoints, LaneScheduler scheduler) {
        this.limits = limits;
        this.checkpoints = checkpoints;
        this.scheduler = scheduler;
    }

    /** Goes on with a lane that was blocked in a life before. */
    void restore(Resumption.BlockedLane blockedLane) {
        BlockedPush first = blockedLane.first();
        Lane lane = lanes.computeIfAbsent(first.key().lane(), Lane::new);
        lane.restore(new LaneEntry(first.key(), null, first.retry(), true), blockedLane.last());
        blocked.add(lane);
        scheduler.ready(lane);
    }

    /** Whether pushes that come in may be kept in memory; makes room where it can. */
    boolean hasRoom() {
        if (limits.isFull(pushes, bytes)) {
            evictAll();
        }
        return !limits.isFull(pushes, bytes) && checkpoints.hasRoom() && !areTooManyFailed();
    }

    /** Whether more may be read into memory, which is less; makes room where it can. */
    boolean hasRoomToRead() {
        if (isReadFull()) {
            evictAll();
        }
        return !isReadFull() && checkpoints.hasRoom() && !areTooManyFailed();
    }

    /** What is known of them would take all memory. They aren't those that wait for the source to come on. */
    boolean areTooManyFailed() {
        return scheduler.backingOff() >= limits.failedLanes();
    }

    boolean isReadFull() {
        return limits.isReadFull(pushes, bytes);
    }

    private void evictAll() {
        List.copyOf(evictable).forEach(this::evict);
    }

    /**
     * Takes in the next push of the source.
     *
     * @return whether it waits in memory
     */
    boolean take(LaneEntry entry) {
        Lane lane = lanes.computeIfAbsent(entry.key.lane(), Lane::new);
        checkpoints.reached(entry.seq());
        wake(lane);
        if (lane.takesReferences() && !lane.reaches(entry.seq())) {
            lane.addReference(entry.seq());
            checkpoints.note(entry.key);
            return false;
        }
        if (!lane.add(entry)) {
            return false;
        }
        enter(entry);
        checkpoints.opened(entry);
        if (lane.state() == State.IDLE) {
            scheduler.ready(lane);
        }
        return true;
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

    /** Whether some lane has its turn. */
    boolean isAtWork() {
        return lanes.values().stream().anyMatch(lane -> lane.state() == State.IN_FLIGHT);
    }

    /** The lowest position that is in some lane. */
    long lowestUndone() {
        return lanes.values().stream().mapToLong(Lane::firstUndone).min().orElse(Long.MAX_VALUE);
    }

    /** A lane that was held back may try again. */
    void wake(@Nullable Lane lane) {
        if (lane != null && lane.state() == State.HELD) {
            scheduler.ready(lane);
        }
    }

    /** All that were held back. */
    void wakeAll() {
        for (Lane lane : lanes.values()) {
            wake(lane);
        }
    }

    /** The body of a push of a lane was read again. */
    void loaded(LaneEntry entry, PushRecord push) {
        entry.push = push;
        enter(entry);
    }

    /** The first push of a lane is done. */
    void done(Lane lane) {
        LaneEntry entry = lane.removeFirst();
        leave(entry);
        checkpoints.done(entry);
    }

    /** The first push of a lane has failed: all of the lane is noted. */
    void failed(Lane lane, RetryState retry) {
        LaneEntry first = lane.first();
        first.retry = retry;
        checkpoints.note(first);
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
        if (lane.isBlocked()) {
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

    /** A lane's turn has come: what it has in memory is needed. */
    void begun(Lane lane) {
        lane.becomes(State.IN_FLIGHT);
        evictable.remove(lane);
    }

    /** Notes what lanes have in memory that don't come on, so that others' pushes find room there. */
    void overflow() {
        for (Lane lane : lanes.values()) {
            if (lane.hasEntries() && !lane.isBeingLoaded()) {
                blocked.add(lane);
                evict(lane);
            }
        }
    }

    private void noteAll(Lane lane) {
        for (LaneEntry entry : lane.entries()) {
            if (!entry.noted) {
                checkpoints.note(entry);
            }
        }
    }

    private void evict(Lane lane) {
        evictable.remove(lane);
        noteAll(lane);
        for (LaneEntry entry : lane.evict()) {
            leave(entry);
            entry.push = null;
        }
    }

    /** One that is noted and has no body takes next to nothing. */
    private void enter(LaneEntry entry) {
        leave(entry);
        PushRecord push = entry.push;
        if (push != null || !entry.noted) {
            entry.weight = push == null ? 0 : push.body().length;
            pushes++;
            bytes += entry.weight;
        }
    }

    private void leave(LaneEntry entry) {
        if (entry.weight >= 0) {
            pushes--;
            bytes -= entry.weight;
            entry.weight = -1;
        }
    }
}
