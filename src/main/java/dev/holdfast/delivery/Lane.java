package dev.holdfast.delivery;

import dev.holdfast.consumer.LastFailure;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPush.RetryState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pushes of one consumer that must stay in order, as far as they come from one source. Those that wait next are in memory;
 * behind them there may be references in the store. Nothing but the methods of this class changes a lane's state:
 *
 * <pre>
 * from         what happens                                           to
 * IDLE         a push comes, or one was restored                      READY
 * READY        its turn has come                                      IN_FLIGHT
 * READY        its first push may not go yet                          HELD
 * HELD         what it waited for has moved on                        READY
 * IN_FLIGHT    the turn is over, and more waits                       READY
 * IN_FLIGHT    the turn is over, and nothing waits                    IDLE
 * IN_FLIGHT    the first push failed and is to be tried again         BACKING_OFF
 * BACKING_OFF  the delay is over                                      READY
 * </pre>
 *
 * An idle lane is forgotten. A lane is <em>blocked</em> while it has references: what comes for it is noted in the store, and it
 * holds no position back. On the delivery's event loop.
 */
final class Lane {
    /** What the lane is doing. */
    enum State {
        IDLE,
        READY,
        IN_FLIGHT,
        BACKING_OFF,
        HELD
    }

    private static final Map<State, Set<State>> TRANSITIONS = new EnumMap<>(Map.of(
            State.IDLE, EnumSet.of(State.READY),
            State.READY, EnumSet.of(State.IN_FLIGHT, State.HELD),
            State.IN_FLIGHT, EnumSet.of(State.READY, State.IDLE, State.BACKING_OFF),
            State.BACKING_OFF, EnumSet.of(State.READY),
            State.HELD, EnumSet.of(State.READY)));

    private final String key;
    private final Deque<LaneEntry> entries = new ArrayDeque<>();
    private State state = State.IDLE;
    private int inFlight;
    /** From here on references are to be looked for, up to the last one that was noted. */
    private long nextReference = 1;

    private long lastReference;
    /** How often the push of the first reference has failed; null: it has not, or is not known to have. */
    private @Nullable RetryState retryOfReference;
    /** When a push of it failed last, as {@link System#nanoTime} tells it; null: not in this process. */
    private @Nullable Long failedNanos;
    /** What its first pushes failed with together; null: they have not, or one has failed alone since. */
    private @Nullable LastFailure failedTogether;
    /** Turns in a row that came to nothing. */
    private int inVain;
    /** Any push up to here may be the cause of one that did: they are sent one by one. */
    private long suspectedUpTo;

    Lane(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    State state() {
        return state;
    }

    void becomes(State next) {
        if (!TRANSITIONS.getOrDefault(state, Set.of()).contains(next)) {
            throw new IllegalStateException(
                    "lane " + state + " can't become " + next + " (expected: one of " + TRANSITIONS.get(state) + ")");
        }
        state = next;
    }

    /** Adds the last push of those that wait in memory. */
    void add(LaneEntry entry) {
        entries.addLast(entry);
    }

    /**
     * Goes on from the first of its references of a life before.
     *
     * @param last the last of them: with it done, and nothing new, the lane is done
     */
    void restore(BlockedPush first, long last) {
        nextReference = first.key().seq();
        lastReference = last;
        retryOfReference = first.retry();
    }

    /** The next push of the lane was noted and is not in memory. */
    void addReference(long seq) {
        if (!hasReferences() || seq < nextReference) {
            // Restored ones may lie beyond what the source has come to.
            nextReference = seq;
            retryOfReference = null;
        }
        lastReference = Math.max(lastReference, seq);
    }

    /** Whether behind those in memory there are references. */
    boolean hasReferences() {
        return nextReference <= lastReference;
    }

    long nextReference() {
        return nextReference;
    }

    /** References up to {@code seq} have been looked up: what there was is in memory. */
    void lookedUp(long seq) {
        nextReference = Math.max(nextReference, seq + 1);
        retryOfReference = null;
    }

    boolean hasEntries() {
        return !entries.isEmpty();
    }

    boolean isDone() {
        return entries.isEmpty() && !hasReferences();
    }

    /** The first one; only where there is one in memory. */
    LaneEntry first() {
        return entries.getFirst();
    }

    Iterable<LaneEntry> entries() {
        return entries;
    }

    /** The lowest position that may not be done; only where something isn't. */
    long firstUndone() {
        return entries.isEmpty() ? nextReference : entries.getFirst().seq();
    }

    /** Whether what comes for it is to be noted. */
    boolean takesReferences() {
        return hasReferences() || hasFailed();
    }

    /** The push of a position, where it is in memory. */
    @Nullable
    LaneEntry find(long seq) {
        return entries.stream().filter(entry -> entry.seq() == seq).findFirst().orElse(null);
    }

    /** Whether a push in memory was sent and nothing has come back of it. */
    boolean isInFlight(long seq) {
        return entries.stream().limit(inFlight).anyMatch(entry -> entry.seq() == seq);
    }

    /** Whether a push that is not in memory may be one of its references. */
    boolean mayReference(long seq) {
        return seq >= nextReference && seq <= lastReference;
    }

    /** How often its first push has failed; null: it has not. */
    @Nullable
    RetryState retry() {
        return entries.isEmpty() ? retryOfReference : entries.getFirst().retry();
    }

    boolean hasFailed() {
        return retry() != null;
    }

    /** What its first push, or several together, failed with last; null: nothing has failed. */
    @Nullable
    LastFailure failure() {
        RetryState retry = retry();
        return retry == null
                ? failedTogether
                : new LastFailure(retry.last().at(), firstUndone(), retry.last().error());
    }

    /**
     * The first push fails: for how long since the last time it could be tried, whatever the clock was set to; milliseconds.
     *
     * @param counts whether the consumer does not fail everything
     * @param workingSince {@link CircuitBreaker#workingSince}: what lies before is none
     */
    long triedMillis(boolean counts, long workingSince) {
        long now = System.nanoTime();
        long tried = counts && failedNanos != null ? Math.min(now - failedNanos, now - workingSince) : 0;
        failedNanos = now;
        return TimeUnit.NANOSECONDS.toMillis(tried);
    }

    /**
     * The first pushes, as far as they are in memory, which are under way from now on. One that has failed, or may have made others
     * fail, goes alone, so that its failure is not theirs.
     *
     * @param closedFrom pushes from this position on stay where they are
     */
    List<PushRecord> begin(int maxPushes, long maxBytes, long closedFrom) {
        boolean oneByOne = inVain > 0 || hasFailed() || (hasEntries() && first().seq() <= suspectedUpTo);
        int most = oneByOne ? Math.min(1, maxPushes) : maxPushes;
        List<PushRecord> batch = new ArrayList<>();
        long bytes = 0;
        for (LaneEntry entry : entries) {
            bytes += entry.bytes();
            boolean fits = batch.isEmpty() || bytes <= maxBytes;
            if (!fits || batch.size() >= most || entry.seq() >= closedFrom) {
                break;
            }
            batch.add(entry.push());
        }
        inFlight = batch.size();
        return batch;
    }

    /** Its turn came to nothing, for which any of those under way may be the cause; returns how many have in a row. */
    int cameToNothing() {
        entries.stream().limit(inFlight).forEach(entry -> suspectedUpTo = entry.seq());
        return ++inVain;
    }

    /** The same, with a failure that is shown until the first push is done, or fails alone. */
    int failedTogether(LastFailure failure) {
        failedTogether = failure;
        return cameToNothing();
    }

    /** What was sent was answered. */
    void answered() {
        inVain = 0;
    }

    /** Nothing of it is under way any more. */
    void returned() {
        inFlight = 0;
    }

    /** The first one has failed. */
    void failed(RetryState retry) {
        failedTogether = null;
        LaneEntry first = entries.removeFirst();
        entries.addFirst(new LaneEntry(first.key(), first.push(), retry));
    }

    LaneEntry removeFirst() {
        failedTogether = null;
        inFlight = Math.max(0, inFlight - 1);
        return entries.removeFirst();
    }

    /** Forgets all but those under way: each is to be looked up as a reference again. */
    List<LaneEntry> evict() {
        List<LaneEntry> evicted = new ArrayList<>();
        while (entries.size() > inFlight) {
            LaneEntry last = entries.removeLast();
            nextReference = last.seq();
            lastReference = Math.max(lastReference, last.seq());
            retryOfReference = last.retry();
            evicted.add(last);
        }
        return evicted;
    }
}
