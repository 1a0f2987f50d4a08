package dev.holdfast.delivery;

import dev.holdfast.consumer.LastFailure;
import dev.holdfast.delivery.Lane.State;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which lane of one source comes next: the queue of those that are ready, those that back off until their time has come, and
 * those that are held back.
 * On the delivery's event loop.
 */
final class LaneScheduler {
    /** Lanes whose first push has failed before get every so many turns while there are others. */
    private static final int FAILED_EVERY = 4;

    private final Vertx vertx;
    private final Runnable onDue;
    private final Set<Lane> fresh = new LinkedHashSet<>();
    private final Set<Lane> failed = new LinkedHashSet<>();
    private final Set<Lane> held = new LinkedHashSet<>();
    /**
     * The end of a delay.
     *
     * @param dueAt milliseconds since the epoch
     */
    private record BackOff(long timer, long dueAt) {}

    private final Map<Lane, BackOff> backingOff = new HashMap<>();

    private int taken;
    private boolean stopped;

    /** @param onDue some lane that backed off is ready again */
    LaneScheduler(Vertx vertx, Runnable onDue) {
        this.vertx = vertx;
        this.onDue = onDue;
    }

    boolean isEmpty() {
        return fresh.isEmpty() && failed.isEmpty();
    }

    /** Whether there are lanes whose next push has not failed before. */
    boolean hasFresh() {
        return !fresh.isEmpty();
    }

    /** Lanes whose first push has failed and waits for its next attempt, or for its turn to have one. */
    int backingOff() {
        return backingOff.size() + failed.size();
    }

    /** What one of them failed with last; null: there is none. */
    @Nullable
    LastFailure anyFailure() {
        LastFailure failure = failure(failed);
        return failure == null ? failure(backingOff.keySet()) : failure;
    }

    private static @Nullable LastFailure failure(Set<Lane> lanes) {
        for (Lane lane : lanes) {
            LastFailure failure = lane.failure();
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    /** When a lane's first push is to be tried again, milliseconds since the epoch; 0: it does not back off. */
    long dueAt(Lane lane) {
        BackOff backOff = backingOff.get(lane);
        return backOff == null ? 0 : backOff.dueAt();
    }

    /** A lane waits for its turn from now on. */
    void ready(Lane lane) {
        lane.becomes(State.READY);
        held.remove(lane);
        (lane.hasFailed() ? failed : fresh).add(lane);
    }

    /** A lane whose turn has come may not go yet. */
    void hold(Lane lane) {
        lane.becomes(State.HELD);
        held.add(lane);
    }

    /** All that were held back may try again. */
    void wakeHeld() {
        List.copyOf(held).forEach(this::ready);
    }

    /**
     * The next lane, which is in no queue any more; only where there is one.
     *
     * @param onlyFresh whether lanes whose push has failed before wait for all others
     */
    Lane next(boolean onlyFresh) {
        boolean theirTurn = fresh.isEmpty() || (!onlyFresh && ++taken % FAILED_EVERY == 0);
        Iterator<Lane> lanes = (theirTurn && !failed.isEmpty() ? failed : fresh).iterator();
        Lane next = lanes.next();
        lanes.remove();
        return next;
    }

    /** Takes a lane out of its turn; false when it is not ready, or its push has failed before. */
    boolean takeFresh(@Nullable Lane lane) {
        return lane != null && fresh.remove(lane);
    }

    /** A lane whose turn is over is ready again after some time. */
    void backOff(Lane lane, long millis) {
        lane.becomes(State.BACKING_OFF);
        if (stopped) {
            return;
        }
        long timer = vertx.setTimer(millis, fired -> {
            backingOff.remove(lane);
            ready(lane);
            onDue.run();
        });
        backingOff.put(lane, new BackOff(timer, System.currentTimeMillis() + millis));
    }

    /** Nothing that backs off gets ready any more. */
    void stop() {
        stopped = true;
        backingOff.values().forEach(backOff -> vertx.cancelTimer(backOff.timer()));
    }
}
