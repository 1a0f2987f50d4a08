package dev.holdfast.receiver;

import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/** The bodies that wait for a room, smaller ones first. For one thread at a time. */
final class WaitingBodies<C extends BodyClaim> implements Iterable<C> {
    /** However many event loops sweep. */
    private static final long THINNING_NANOS = 100_000_000L;

    /** Of all so many at once, before the next connections show what they bring. */
    private static final int THINNED_PART = 8;

    /** An operator need not hear of a shorter wait. */
    private static final long LONG_WAIT_NANOS = 1_000_000_000L;

    private final NavigableSet<C> claims =
            new TreeSet<>(Comparator.comparingLong((C claim) -> claim.bytes).thenComparingLong(claim -> claim.number));

    private long thinnedAt;

    void add(C claim) {
        claims.add(claim);
    }

    void remove(C claim) {
        claims.remove(claim);
    }

    int size() {
        return claims.size();
    }

    /** What they want together. */
    long bytes() {
        return claims.stream().mapToLong(claim -> claim.bytes).sum();
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    C first() {
        return claims.first();
    }

    @Override
    public Iterator<C> iterator() {
        return claims.iterator();
    }

    /** Whether somebody has waited for so long that something must be wrong. */
    boolean haveWaitedLong(long now) {
        return claims.stream().anyMatch(claim -> now - claim.since > LONG_WAIT_NANOS);
    }

    /**
     * Gives up some of those that have waited for a while, for their connections' sake. Whoever fills the connections with
     * them wants as much as there is to be had: the largest go first.
     *
     * @param stoodStillAt when a body last had no chance to get on
     */
    void thinOut(long now, ToLongFunction<C> stoodStillAt) {
        if (now - thinnedAt < THINNING_NANOS) {
            return;
        }
        thinnedAt = now;
        int left = (claims.size() + THINNED_PART - 1) / THINNED_PART;
        for (Iterator<C> largest = claims.descendingIterator(); left > 0 && largest.hasNext(); ) {
            C claim = largest.next();
            if (now - Math.max(claim.since, stoodStillAt.applyAsLong(claim)) > Deadlines.CROWDED_NANOS) {
                largest.remove();
                left--;
                claim.evict();
            }
        }
    }
}
