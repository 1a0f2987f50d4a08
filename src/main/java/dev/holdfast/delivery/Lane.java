package dev.holdfast.delivery;

import dev.holdfast.consumer.Receipt;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter.Failure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pushes of one consumer that must stay in order, on one {@link Way}. The next ones are in memory; where there are too
 * many, the lane is behind: of the rest it knows only from which position on to look for them.
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
        RESTING,
        /** Waits for what the consumer has to do on another way before. */
        PARKED
    }

    private static final long NOT_BEHIND = Long.MAX_VALUE;

    private final String key;
    private final Deque<PushRecord> pushes = new ArrayDeque<>();
    private State state = State.IDLE;
    private int underWay;
    private long behindFrom = NOT_BEHIND;
    /** Of the first push, or of one that was first before. */
    private @Nullable Trouble trouble;
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

    /** Whether it can't go on for a while, or with its first push only: the rest need not be in memory. */
    boolean isStuck() {
        return state == State.RESTING || state == State.PARKED || (state == State.READY && isTroubled());
    }

    void add(PushRecord push) {
        pushes.add(push);
    }

    boolean hasPushes() {
        return !pushes.isEmpty();
    }

    /** Pushes in memory, those under way included. */
    int size() {
        return pushes.size();
    }

    /** Pushes of the lane from here on are to be read again. */
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

    boolean isDone() {
        return pushes.isEmpty() && !isBehind();
    }

    /** The first position that is not done; only where there is one. */
    long firstUndone() {
        return pushes.isEmpty() ? behindFrom : pushes.getFirst().seq();
    }

    /**
     * The first pushes, which are under way from now on.
     *
     * @param closedFrom pushes from this position on stay where they are, but for the first
     * @param withdrawn so do those from the first one on that nobody wants any more
     */
    List<PushRecord> begin(int maxPushes, long maxBytes, long closedFrom, Predicate<PushRecord> withdrawn) {
        int most = oneByOne ? 1 : maxPushes;
        List<PushRecord> batch = new ArrayList<>();
        long bytes = 0;
        for (PushRecord push : pushes) {
            bytes += push.body().length;
            if (!batch.isEmpty()
                    && (batch.size() >= most || bytes > maxBytes || push.seq() >= closedFrom || withdrawn.test(push))) {
                break;
            }
            batch.add(push);
        }
        underWay = batch.size();
        return batch;
    }

    /** The first push is on its way again, to the dead letters. */
    void hold() {
        underWay = 1;
    }

    /** Whether a receipt speaks of pushes that are under way, from the first one on. */
    boolean isAnsweredBy(Receipt receipt) {
        Receipt.Failed failed = receipt.failed();
        Iterator<PushRecord> first = pushes.iterator();
        return receipt.handled().size() + (failed == null ? 0 : 1) <= underWay
                && receipt.handled().stream().allMatch(seq -> isNext(first, seq))
                && (failed == null || isNext(first, failed.seq()));
    }

    private static boolean isNext(Iterator<PushRecord> pushes, long seq) {
        return pushes.hasNext() && pushes.next().seq() == seq;
    }

    /** The batch has come back. */
    void ended() {
        underWay = 0;
    }

    void oneByOne(boolean next) {
        oneByOne = next;
    }

    PushRecord first() {
        return pushes.getFirst();
    }

    /** It is done, and so is what has happened to it. */
    PushRecord removeFirst() {
        trouble = null;
        return pushes.removeFirst();
    }

    /** Forgets the pushes that are not under way, but for the one that takes its turn; what they were. */
    List<PushRecord> spill() {
        int kept = state == State.READY ? 1 : underWay;
        List<PushRecord> spilled = new ArrayList<>();
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
        return attempt(pushes.getFirst()) > 1;
    }

    /** Which attempt the next one of a push is, from 1. */
    int attempt(PushRecord push) {
        return trouble != null && trouble.seq() == push.seq() ? trouble.attempts() + 1 : 1;
    }

    /**
     * Counts a failed attempt of the first push; all there were of it.
     *
     * @param counts whether it brings the push nearer to the last attempt that is allowed
     */
    Trouble failed(Failure failure, boolean counts) {
        long seq = first().seq();
        trouble = trouble != null && trouble.seq() == seq
                ? trouble.and(failure, counts)
                : Trouble.first(seq, failure, counts);
        return trouble;
    }
}
