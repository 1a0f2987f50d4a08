package dev.holdfast.delivery;

import java.util.ArrayDeque;
import java.util.Deque;

/** Lanes that have something to send and nothing under way, in the order in which they may. */
final class Turns {
    /** Lanes whose push has failed before get every so many turns while there are others. */
    private static final int TROUBLED_EVERY = 4;

    private final Deque<Lane> ready = new ArrayDeque<>();
    private final Deque<Lane> troubled = new ArrayDeque<>();
    private int taken;

    boolean isEmpty() {
        return ready.isEmpty() && troubled.isEmpty();
    }

    /** Lets a lane that has pushes and nothing else to do take its turn. */
    void add(Lane lane) {
        if (lane.state() == Lane.State.IDLE && lane.hasPushes()) {
            lane.state(Lane.State.READY);
            (lane.isTroubled() ? troubled : ready).add(lane);
        }
    }

    /**
     * The next lane, which has had its turn with that; only where there is one.
     *
     * @param healthyFirst whether lanes whose push has failed before wait for all others
     */
    Lane next(boolean healthyFirst) {
        boolean theirTurn = ready.isEmpty() || (!healthyFirst && ++taken % TROUBLED_EVERY == 0);
        return theirTurn && !troubled.isEmpty() ? troubled.remove() : ready.remove();
    }
}
