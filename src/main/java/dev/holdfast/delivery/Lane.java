package dev.holdfast.delivery;

import dev.holdfast.journal.DeadLetter.Failure;
import dev.holdfast.push.PushRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    /** Pushes that were asked for, in the order of their positions: they go before the others. */
    private final List<Parcel> errands = new ArrayList<>();
    /** Whether what is under way, or has failed, is an errand. */
    private boolean onErrand;
    /** Of the first push on its ordinary way, and of the first errand. */
    private final @Nullable Trouble[] troubles = new Trouble[2];
    /** The next batch is of one push: of the last one nobody knows which held it up. */
    private boolean oneByOne;

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

    /** Takes in a push that was asked for; it goes before all on their ordinary way, and before errands of later pushes. */
    void add(Parcel errand) {
        int at = errands.size();
        int least = onErrand ? underWay : 0;
        while (at > least && errands.get(at - 1).push().seq() > errand.push().seq()) {
            at--;
        }
        errands.add(at, errand);
    }

    boolean hasPushes() {
        return !pushes.isEmpty() || !errands.isEmpty();
    }

    /** Pushes in memory on their ordinary way, those under way included. */
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

    /** Whether something is to be done on the ordinary way. */
    boolean hasUndone() {
        return !pushes.isEmpty() || isBehind();
    }

    /** The first position that is not done; only where there is one. */
    long firstUndone() {
        return pushes.isEmpty() ? behindFrom : pushes.getFirst().seq();
    }

    boolean isDone() {
        return !hasUndone() && errands.isEmpty();
    }

    /** The first pushes, which are under way from now on: errands, or pushes on their ordinary way. */
    List<Parcel> begin(int maxPushes, long maxBytes) {
        onErrand = !errands.isEmpty();
        int most = oneByOne ? 1 : maxPushes;
        List<Parcel> batch = new ArrayList<>();
        Iterator<Parcel> next = onErrand
                ? errands.iterator()
                : pushes.stream().map(Parcel::ordinary).iterator();
        long bytes = 0;
        while (next.hasNext() && batch.size() < most) {
            Parcel parcel = next.next();
            bytes += parcel.push().body().length;
            if (!batch.isEmpty() && bytes > maxBytes) {
                break;
            }
            batch.add(parcel);
        }
        underWay = batch.size();
        return batch;
    }

    /** The first push of the batch that has come back is on its way again, to the dead letters. */
    void hold() {
        underWay = 1;
    }

    /** The batch has come back. */
    void ended() {
        underWay = 0;
    }

    boolean isOnErrand() {
        return onErrand;
    }

    void oneByOne(boolean next) {
        oneByOne = next;
    }

    /** The first push of what is, or was last, under way. */
    Parcel first() {
        return onErrand ? errands.get(0) : Parcel.ordinary(pushes.getFirst());
    }

    /** It is done: when it is asked for again, its attempts count from 1. */
    Parcel removeFirst() {
        Parcel first = onErrand ? errands.remove(0) : Parcel.ordinary(pushes.removeFirst());
        if (attempt(first) > 1) {
            troubles[onErrand ? 1 : 0] = null;
        }
        return first;
    }

    /** Forgets the pushes that are not under way; what they were. */
    List<PushRecord> spill() {
        List<PushRecord> spilled = new ArrayList<>();
        int kept = onErrand ? 0 : underWay;
        while (pushes.size() > kept) {
            spilled.add(pushes.removeLast());
        }
        if (!spilled.isEmpty()) {
            behindFrom = spilled.get(spilled.size() - 1).seq();
        }
        return spilled;
    }

    /** Whether its next push has failed before. */
    boolean isTroubled() {
        Parcel next = errands.isEmpty() ? Parcel.ordinary(pushes.getFirst()) : errands.get(0);
        return attempt(next) > 1;
    }

    /** Which attempt the next one of a push is, from 1. */
    int attempt(Parcel parcel) {
        Trouble trouble = troubles[parcel.isErrand() ? 1 : 0];
        return trouble != null && trouble.seq() == parcel.push().seq() ? trouble.attempts() + 1 : 1;
    }

    /** Counts a failed attempt of the first push; all there were of it. */
    Trouble failed(Failure failure) {
        long seq = first().push().seq();
        Trouble before = troubles[onErrand ? 1 : 0];
        Trouble trouble = before != null && before.seq() == seq ? before.and(failure) : Trouble.first(seq, failure);
        troubles[onErrand ? 1 : 0] = trouble;
        return trouble;
    }
}
