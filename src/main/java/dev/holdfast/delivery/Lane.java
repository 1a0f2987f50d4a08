package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The pushes of one consumer that must stay in order. The next ones are in memory; where there are too many, the lane is
 * behind: of the rest it knows only from which position on to look for them in the journal.
 */
final class Lane {
    /** What the lane is doing. */
    enum State {
        /** Waits for pushes, or for being read on. */
        IDLE,
        /** Waits for its turn. */
        READY,
        /** A batch is under way. */
        BUSY,
        /** The first push waits for its next attempt. */
        RESTING
    }

    private static final long NOT_BEHIND = Long.MAX_VALUE;

    private final String key;
    private final Deque<PushRecord> pushes = new ArrayDeque<>();
    private State state = State.IDLE;
    private int underWay;
    private long behindFrom = NOT_BEHIND;
    private long failedSeq;
    private int failedAttempts;

    Lane(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    State state() {
        return state;
    }

    void state(State next) {
        state = next;
    }

    void add(PushRecord push) {
        pushes.add(push);
    }

    /** Pushes in memory, those under way included. */
    int size() {
        return pushes.size();
    }

    /** Pushes of the lane from here on are to be found in the journal only. */
    void behindFrom(long seq) {
        behindFrom = seq;
    }

    void caughtUp() {
        behindFrom = NOT_BEHIND;
    }

    boolean isBehind() {
        return behindFrom != NOT_BEHIND;
    }

    long behindFrom() {
        return behindFrom;
    }

    /** The first position that is not done; only where there is something to do. */
    long firstUndone() {
        return pushes.isEmpty() ? behindFrom : pushes.getFirst().seq();
    }

    boolean isDone() {
        return pushes.isEmpty() && !isBehind();
    }

    /** The first pushes, which are under way from now on. */
    List<PushRecord> begin(int maxPushes, long maxBytes) {
        List<PushRecord> batch = new ArrayList<>();
        long bytes = 0;
        for (PushRecord push : pushes) {
            if (!batch.isEmpty() && (batch.size() >= maxPushes || bytes + push.body().length > maxBytes)) {
                break;
            }
            bytes += push.body().length;
            batch.add(push);
        }
        underWay = batch.size();
        return batch;
    }

    /** How many pushes are under way. */
    int underWay() {
        return underWay;
    }

    /** The batch has come back. */
    void ended() {
        underWay = 0;
    }

    PushRecord first() {
        return pushes.getFirst();
    }

    PushRecord removeFirst() {
        return pushes.removeFirst();
    }

    /** Forgets the pushes that are not under way; what they were. */
    List<PushRecord> spill() {
        List<PushRecord> spilled = new ArrayList<>();
        while (pushes.size() > underWay) {
            spilled.add(pushes.removeLast());
        }
        if (!spilled.isEmpty()) {
            behindFrom = spilled.get(spilled.size() - 1).seq();
        }
        return spilled;
    }

    /** Counts a failed attempt of the first push and returns how many there were. */
    int failed() {
        long seq = first().seq();
        failedAttempts = seq == failedSeq ? failedAttempts + 1 : 1;
        failedSeq = seq;
        return failedAttempts;
    }
}
