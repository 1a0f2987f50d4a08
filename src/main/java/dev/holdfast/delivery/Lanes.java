package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Progress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of one consumer that have something to do, and the front: the position up to which the journal was looked
 * through. Bounds the memory of all of them together, and tells how far the consumer has come.
 */
final class Lanes {
    private final Ordering ordering;
    private final Bounds bounds;
    private final Map<String, Lane> lanes = new LinkedHashMap<>();
    private final Set<Lane> behind = new LinkedHashSet<>();
    private long front;
    private int pushes;
    private long bytes;
    private long handled;

    /** @param start with lanes of the same ordering */
    Lanes(Ordering ordering, Progress start, Bounds bounds) {
        this.ordering = ordering;
        this.bounds = bounds;
        this.front = start.handled();
        start.behind().forEach((key, seq) -> behindFrom(lane(key), seq));
    }

    /** Whether the front may move on. */
    boolean hasRoom() {
        return pushes < bounds.frontPushes() && bytes < bounds.bytes() / 4 * 3 && behind.size() < bounds.behind();
    }

    /** Whether pushes may be brought into memory. */
    boolean hasMemory() {
        return pushes < bounds.pushes() && bytes < bounds.bytes();
    }

    long front() {
        return front;
    }

    /** There is nothing for the consumer up to {@code seq}. */
    void skipTo(long seq) {
        front = Math.max(front, seq);
    }

    /** Takes in the next push of the front; its lane. */
    Lane take(PushRecord push) {
        front = push.seq();
        Lane lane = lane(ordering.lane(push));
        if (lane.isBehind()) {
            return lane;
        }
        if (lane.isStuck() && lane.size() >= bounds.laneRoom()) {
            behindFrom(lane, push.seq());
        } else {
            add(lane, push);
        }
        return lane;
    }

    /**
     * The lanes that are behind, could go on, and have little in memory; each with where to read on.
     *
     * @param slowed whether those whose turn it is have to wait for it
     */
    Map<Lane, Long> hungry(boolean slowed) {
        Map<Lane, Long> hungry = new HashMap<>();
        for (Lane lane : behind) {
            boolean waits = lane.isStuck() || (slowed && lane.state() == Lane.State.READY);
            if (!waits && lane.size() < bounds.hungryBelow()) {
                hungry.put(lane, lane.behindFrom());
            }
        }
        return hungry;
    }

    /**
     * Brings a push that was read again to its lane, if that is one of {@code reading}, still where it was, and has room;
     * a lane without room is no longer one of them.
     */
    void takeAgain(PushRecord push, Map<Lane, Long> reading) {
        Lane lane = lanes.get(ordering.lane(push));
        if (lane == null || !isOpen(lane, reading) || push.seq() < lane.behindFrom()) {
            return;
        }
        if (lane.size() >= bounds.laneRoom()) {
            behindFrom(lane, push.seq());
            reading.remove(lane);
        } else {
            add(lane, push);
        }
    }

    /** Everything up to {@code seq} was read for the lanes of {@code reading}. */
    void readUpTo(long seq, Map<Lane, Long> reading) {
        for (Lane lane : reading.keySet()) {
            if (isOpen(lane, reading) && lane.behindFrom() <= seq) {
                behindFrom(lane, seq + 1);
            }
            if (lane.isBehind() && lane.behindFrom() > front) {
                lane.caughtUp();
                behind.remove(lane);
            }
        }
    }

    private static boolean isOpen(Lane lane, Map<Lane, Long> reading) {
        Long from = reading.get(lane);
        return from != null && lane.isBehind() && lane.behindFrom() == from;
    }

    /** Makes room by forgetting what lanes have that can't go on; with {@code slow}, also what waits behind others. */
    void relieve(boolean slow) {
        for (Lane lane : lanes.values()) {
            boolean waits = lane.state() == Lane.State.BUSY || lane.state() == Lane.State.READY;
            boolean stuck = lane.isStuck() || (slow && waits);
            if (stuck && (lane.isBehind() || behind.size() < bounds.behind())) {
                spill(lane);
            }
        }
    }

    private void spill(Lane lane) {
        for (PushRecord push : lane.spill()) {
            leave(push);
        }
        if (lane.isBehind()) {
            behind.add(lane);
        }
    }

    /** The next batch of a lane, which no longer counts as waiting; see {@link Lane#begin}. */
    List<PushRecord> begin(Lane lane, int maxPushes, long maxBytes, long closedFrom, Predicate<PushRecord> withdrawn) {
        List<PushRecord> batch = lane.begin(maxPushes, maxBytes, closedFrom, withdrawn);
        batch.forEach(this::leave);
        return batch;
    }

    /** The first push of a lane is on its way to the dead letters. */
    void hold(Lane lane) {
        lane.hold();
        leave(lane.first());
    }

    /** The first push of a lane was handled, or has gone to the dead letters. */
    PushRecord done(Lane lane) {
        handled++;
        return lane.removeFirst();
    }

    /** Nobody wants the first push of a lane, which is not under way, any more. */
    void drop(Lane lane) {
        leave(lane.first());
        done(lane);
    }

    /** The lane's batch is back: what is left of it waits again. */
    void ended(Lane lane, List<PushRecord> left) {
        lane.ended();
        left.forEach(this::enter);
    }

    /** The lane of that key that has something to do, or null. */
    @Nullable
    Lane get(String key) {
        return lanes.get(key);
    }

    /** The first position of a lane that is not done; what the front has not passed is not. */
    long undoneFrom(String key) {
        Lane lane = lanes.get(key);
        return lane == null || lane.isDone() ? front + 1 : Math.min(front + 1, lane.firstUndone());
    }

    /** A lane with nothing to do is forgotten; another one of its key is not. */
    void forget(Lane lane) {
        lanes.remove(lane.key(), lane);
    }

    Collection<Lane> all() {
        return new ArrayList<>(lanes.values());
    }

    int size() {
        return lanes.size();
    }

    int behindCount() {
        return behind.size();
    }

    /** How many pushes were handled, ever. */
    long handledCount() {
        return handled;
    }

    /**
     * How far the consumer has come. Lanes more than {@code window} positions below the front are named, so that they hold
     * nothing else back.
     */
    Progress progress(long window) {
        long done = front;
        Map<String, Long> far = new HashMap<>();
        for (Lane lane : lanes.values()) {
            if (lane.isDone()) {
                continue;
            }
            long first = lane.firstUndone();
            if (first <= front - window) {
                far.put(lane.key(), first);
            } else {
                done = Math.min(done, first - 1);
            }
        }
        return new Progress(done, far.isEmpty() ? "" : ordering.name(), far);
    }

    private Lane lane(String key) {
        return lanes.computeIfAbsent(key, Lane::new);
    }

    private void add(Lane lane, PushRecord push) {
        lane.add(push);
        enter(push);
    }

    private void enter(PushRecord push) {
        pushes++;
        bytes += push.body().length;
    }

    private void leave(PushRecord push) {
        pushes--;
        bytes -= push.body().length;
    }

    private void behindFrom(Lane lane, long seq) {
        lane.behindFrom(seq);
        behind.add(lane);
    }
}
