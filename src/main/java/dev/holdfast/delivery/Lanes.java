package dev.holdfast.delivery;

import dev.holdfast.journal.Progress;
import dev.holdfast.push.PushRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The lanes of one consumer that have something to do, and the front: the position up to which the journal was looked
 * through. Bounds the memory of all of them together, and tells how far the consumer has come.
 */
final class Lanes {
    /** Bytes in memory that no batch has taken. */
    private static final long MAX_BYTES = 16L * 1024 * 1024;
    /** What of it the front may fill: lanes that are read on always find some. */
    private static final long FRONT_BYTES = MAX_BYTES / 4 * 3;

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
        return pushes < bounds.frontPushes() && bytes < FRONT_BYTES && behind.size() < bounds.behind();
    }

    /** Whether pushes may be brought into memory. */
    boolean hasMemory() {
        return pushes < bounds.pushes() && bytes < MAX_BYTES;
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
        if (lane.state() == Lane.State.RESTING && lane.size() >= bounds.laneRoom()) {
            behindFrom(lane, push.seq());
        } else {
            add(lane, push);
        }
        return lane;
    }

    /** The lanes that are behind, could go on, and have little in memory; each with where to read on. */
    Map<Lane, Long> hungry() {
        Map<Lane, Long> hungry = new HashMap<>();
        for (Lane lane : behind) {
            if (lane.state() != Lane.State.RESTING && lane.size() < bounds.hungryBelow()) {
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

    /** Makes room by forgetting what lanes have that can't go on; with {@code slow}, also what waits behind a batch. */
    void relieve(boolean slow) {
        for (Lane lane : lanes.values()) {
            boolean stuck = lane.state() == Lane.State.RESTING || (slow && lane.state() == Lane.State.BUSY);
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

    /** The next batch of a lane, which no longer counts as waiting. */
    List<Parcel> begin(Lane lane, int maxPushes, long maxBytes) {
        List<Parcel> batch = lane.begin(maxPushes, maxBytes);
        if (!lane.isOnErrand()) {
            batch.forEach(parcel -> leave(parcel.push()));
        }
        return batch;
    }

    /** The first push of a lane's last batch is on its way again, to the dead letters. */
    Parcel hold(Lane lane) {
        lane.hold();
        Parcel parcel = lane.first();
        if (!lane.isOnErrand()) {
            leave(parcel.push());
        }
        return parcel;
    }

    /** The first push of a lane was handled, or has gone to the dead letters. */
    Parcel done(Lane lane) {
        if (!lane.isOnErrand()) {
            handled++;
        }
        return lane.removeFirst();
    }

    /** The lane's batch is back: what is left of it waits again. */
    void ended(Lane lane, List<Parcel> left) {
        lane.ended();
        if (!lane.isOnErrand()) {
            left.forEach(parcel -> enter(parcel.push()));
        }
    }

    /** Takes in a push that was asked for; its lane. */
    Lane take(Parcel errand) {
        Lane lane = lane(ordering.lane(errand.push()));
        lane.add(errand);
        return lane;
    }

    /** A lane with nothing to do is forgotten. */
    void forget(Lane lane) {
        lanes.remove(lane.key());
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
            if (!lane.hasUndone()) {
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
