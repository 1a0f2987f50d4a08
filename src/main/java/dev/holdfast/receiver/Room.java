package dev.holdfast.receiver;

import io.vertx.core.Context;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@link Holdings} for large bodies that are still coming in, over all event loops. Who doesn't fit waits, smaller bodies first; and
 * while somebody waits, bodies that have brought least lately are evicted. Time is what {@link Deadlines#counted counts} on a body's
 * own loop. Any thread.
 */
final class Room {
    /**
     * How long a body that others wait for may take for its progress before it is evicted: longer than TCP takes to get over a
     * lost packet or two.
     */
    static final Duration PROGRESS_TIMEOUT = Duration.ofSeconds(5);

    /** One in so many of those that wait is given up in a sweep: it may be enough. */
    private static final int THINNED_PART = 8;

    /** An operator need not hear of a shorter wait. */
    private static final long LONG_WAIT_NANOS = 1_000_000_000L;

    /** Whose body it is. Called on its own event loop only, but for the time. */
    interface Occupant {
        Peer peer();

        Context context();

        /** What counts of the time on its loop. Any thread. */
        long counted();

        /** What was waited for is there. */
        void admitted();

        /** The body is to be given up, for those that others send. */
        void evicted(Refusal why);
    }

    /** What one body holds of the room, or waits for. */
    final class Claim {
        private final Occupant occupant;
        private final String network;
        private final long bytes;
        /** Tells those that want the same apart: the first came first. */
        private final long number;
        /** When it came, or last brought enough. */
        private long since;

        private Holdings.@Nullable Holding holding;
        private boolean told;
        /** Also read without the lock, on the occupant's own loop: nobody else sets it. */
        private boolean released;

        private Claim(Occupant occupant, long bytes, long number) {
            this.occupant = occupant;
            this.network = occupant.peer().network();
            this.bytes = bytes;
            this.number = number;
            this.since = occupant.counted();
        }

        /** The body has brought enough, or is read from now on: from here its time counts. Where it brings no more it can be evicted. */
        void progressed() {
            synchronized (Room.this) {
                if (!told && !released) {
                    since = occupant.counted();
                    // To the end: the others are slower.
                    reading.remove(this);
                    reading.add(this);
                }
            }
        }

        /** Gives back what is held, or waits no more. More than once does no harm. */
        void release() {
            synchronized (Room.this) {
                if (!released) {
                    released = true;
                    waiting.remove(this);
                    reading.remove(this);
                    evicting -= told ? bytes : 0;
                    if (holding != null) {
                        holding.release();
                    }
                    admitWaiting();
                }
            }
        }

        private long age() {
            return occupant.counted() - since;
        }

        /** Not where it was given back meanwhile. */
        private void onItsLoop(Consumer<Occupant> what) {
            occupant.context().runOnContext(v -> {
                if (!released) {
                    what.accept(occupant);
                }
            });
        }
    }

    private final Holdings holdings;
    /** In the order of their last progress. */
    private final Set<Claim> reading = new LinkedHashSet<>();

    private final NavigableSet<Claim> waiting = new TreeSet<>(
            Comparator.comparingLong((Claim claim) -> claim.bytes).thenComparingLong(claim -> claim.number));
    /** Bytes of those that were told to go and haven't gone yet. */
    private long evicting;

    private long claims;

    /** @param capacity nobody wants more at once */
    Room(long capacity) {
        holdings = new Holdings(capacity, capacity);
    }

    /** Takes so many bytes as soon as they fit, and calls {@link Occupant#admitted} then, in any case later. */
    synchronized Claim await(Occupant occupant, long bytes) {
        Claim claim = new Claim(occupant, bytes, ++claims);
        waiting.add(claim);
        admitWaiting();
        return claim;
    }

    private void admitWaiting() {
        for (Iterator<Claim> next = waiting.iterator(); next.hasNext(); ) {
            Claim claim = next.next();
            if (!holdings.areFree(claim.bytes)) {
                // Nor does anyone behind it fit, who wants at least as much.
                return;
            }
            claim.holding = holdings.tryTake(claim.occupant.peer(), claim.bytes);
            if (claim.holding != null) {
                next.remove();
                claim.onItsLoop(Occupant::admitted);
            }
        }
    }

    /**
     * To be called now and then by each event loop: while somebody waits, evicts the slowest bodies that have been slow
     * for too long.
     *
     * @param crowded whether those who wait take connections away from others, who need no room here
     */
    synchronized void sweep(Context loop, boolean crowded) {
        if (crowded) {
            thinOut(loop);
        }
        if (!waiting.isEmpty()) {
            evictOverdue();
        }
    }

    /**
     * Gives up some of a loop's that have waited for a while, so that others get their connections. The largest go first: who takes
     * all connections on purpose declares large bodies.
     */
    private void thinOut(Context loop) {
        List<Claim> largest = waiting.descendingSet().stream()
                .filter(claim -> claim.occupant.context() == loop)
                .toList();
        largest.stream()
                .filter(claim -> claim.age() > Deadlines.CROWDED_NANOS)
                .limit((largest.size() + THINNED_PART - 1) / THINNED_PART)
                .forEach(claim -> {
                    waiting.remove(claim);
                    // While it waits it is nobody's fault but the others'.
                    claim.onItsLoop(body -> body.evicted(Refusal.CROWDED));
                });
    }

    /** As many bytes as all that wait want at once: evicted one by one, the next stalled bodies would take the room. */
    private void evictOverdue() {
        Claim first = waiting.first();
        // Where there is room, and only its network's share is used up, evicting others doesn't help.
        String only = holdings.areFree(first.bytes) ? first.network : null;
        long wanted = waiting.stream().mapToLong(claim -> claim.bytes).sum();
        List<Claim> overdue = reading.stream()
                .filter(claim -> claim.age() > PROGRESS_TIMEOUT.toNanos())
                .filter(claim -> only == null || only.equals(claim.network))
                .sorted(Comparator.comparing(claim -> !holdings.isGreedy(claim.network)))
                .toList();
        for (Claim slow : overdue) {
            if (evicting >= wanted) {
                return;
            }
            slow.told = true;
            evicting += slow.bytes;
            reading.remove(slow);
            slow.onItsLoop(body -> body.evicted(Refusal.EVICTED));
        }
    }

    /** Whether somebody has waited for so long that something must be wrong. */
    synchronized boolean isWaitedForLong() {
        return waiting.stream().anyMatch(claim -> claim.age() > LONG_WAIT_NANOS);
    }

    synchronized int waiting() {
        return waiting.size();
    }

    long bytes() {
        return holdings.bytes();
    }
}
