package dev.holdfast.delivery;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Lanes of one way that have something to send and nothing under way, in the order in which they may. */
final class Turns {
    /** Lanes whose push has failed before get every so many turns while there are others. */
    private static final int TROUBLED_EVERY = 4;

    private final Deque<Lane> fresh = new ArrayDeque<>();
    private final Deque<Lane> troubled = new ArrayDeque<>();
    private int taken;

    boolean isEmpty() {
        return fresh.isEmpty() && troubled.isEmpty();
    }

    /** Whether there are lanes whose next push has not failed before. */
    boolean hasFresh() {
        return !fresh.isEmpty();
    }

    /** Lets a lane that has pushes and nothing else to do take its turn. */
    void add(Lane lane) {
        if (lane.state() == Lane.State.IDLE && lane.hasPushes()) {
            lane.state(Lane.State.READY);
            (lane.isTroubled() ? troubled : fresh).add(lane);
        }
    }

    /** The same for one that may have had to wait for another way. */
    void addAgain(Lane lane) {
        if (lane.state() == Lane.State.PARKED) {
            lane.state(Lane.State.IDLE);
        }
        add(lane);
    }

    /** The next of the lanes that work and whose push has not failed before; null when there is none. */
    @Nullable
    Lane next(WorkingLanes working) {
        if (working.isEmpty()) {
            return null;
        }
        for (Iterator<Lane> lanes = fresh.iterator(); lanes.hasNext(); ) {
            Lane lane = lanes.next();
            if (working.has(lane)) {
                lanes.remove();
                return lane;
            }
        }
        return null;
    }

    /**
     * The next lane, which has had its turn with that; only where there is one.
     *
     * @param freshFirst whether lanes whose push has failed before wait for all others
     */
    Lane next(boolean freshFirst) {
        boolean theirTurn = fresh.isEmpty() || (!freshFirst && ++taken % TROUBLED_EVERY == 0);
        return theirTurn && !troubled.isEmpty() ? troubled.remove() : fresh.remove();
    }
}
