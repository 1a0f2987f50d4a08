package dev.holdfast.delivery;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ways of one consumer: they take turns, and never have the same lane under way at once. On the delivery's event loop.
 */
final class Ways {
    /** A lane that is to send now, on one of them. */
    record Departure(Way way, Lane lane) {}

    private final List<Way> ways = new ArrayList<>();
    private final WorkingLanes working;
    private int turn;

    /** @param working lanes that the breaker doesn't concern */
    Ways(WorkingLanes working) {
        this.working = working;
    }

    void add(Way way) {
        ways.add(way);
    }

    /** A way that is over is forgotten, as soon as nothing of it is under way. */
    void remove(Way way) {
        if (way.isOver() && way.lanes().all().stream().noneMatch(lane -> lane.state() == Lane.State.BUSY)) {
            ways.remove(way);
        }
    }

    /**
     * The next that may send, and is permitted to by the breaker or works; null when none may.
     *
     * @param underWay how many lanes are at work
     */
    @Nullable
    Departure next(Breaker breaker, int underWay) {
        for (int tried = 0; tried < ways.size(); tried++) {
            turn = (turn + 1) % ways.size();
            Way way = ways.get(turn);
            boolean fresh = way.turns().hasFresh() && underWay < Breaker.THRESHOLD;
            if (way.turns().isEmpty() || way.allowance() == 0) {
                continue;
            }
            Lane lane = breaker.permits(fresh) ? permitted(way, breaker) : working(way);
            if (lane != null) {
                return new Departure(way, lane);
            }
        }
        return null;
    }

    private @Nullable Lane permitted(Way way, Breaker breaker) {
        Lane lane = next(way, !breaker.isClosed());
        if (lane == null) {
            breaker.unused();
        }
        return lane;
    }

    private @Nullable Lane working(Way way) {
        Lane lane = way.turns().next(working);
        while (lane != null && !mayGo(way, lane)) {
            lane = way.turns().next(working);
        }
        return lane;
    }

    private @Nullable Lane next(Way way, boolean freshFirst) {
        while (!way.turns().isEmpty()) {
            Lane lane = way.turns().next(freshFirst);
            if (mayGo(way, lane)) {
                return lane;
            }
        }
        return null;
    }

    private boolean mayGo(Way way, Lane lane) {
        while (lane.hasPushes() && way.isWithdrawn(lane.first())) {
            way.lanes().drop(lane);
        }
        if (!lane.hasPushes()) {
            way.release(lane);
            return false;
        }
        if (isAtWork(lane.key()) || lane.first().seq() >= way.closedFrom(lane.key())) {
            lane.state(Lane.State.PARKED);
            return false;
        }
        return true;
    }

    /** Whether a lane has a batch under way, on whichever way; the lane itself, taking its turn, has none. */
    private boolean isAtWork(String key) {
        for (int i = 0; ways.size() > 1 && i < ways.size(); i++) {
            Lane lane = ways.get(i).lanes().get(key);
            if (lane != null && lane.state() == Lane.State.BUSY) {
                return true;
            }
        }
        return false;
    }

    /** A lane has done something: it may go on, on whichever way. */
    void goOn(String key) {
        for (int i = 0; ways.size() > 1 && i < ways.size(); i++) {
            Lane lane = ways.get(i).lanes().get(key);
            if (lane != null) {
                ways.get(i).turns().addAgain(lane);
            }
        }
    }
}
