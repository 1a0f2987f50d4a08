package dev.holdfast.receiver;

import io.vertx.core.Context;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory set apart for bodies that are still coming in, over all event loops. Up to half of it is anybody's; beyond that
 * a network holds no more than a quarter of the room and a connection no more than an eighth, one body always
 * being allowed. Who doesn't fit waits, smaller bodies first, or is refused, as the caller wants it; and while somebody
 * waits, bodies that have brought least lately are evicted. Any thread.
 */
final class Room {
    /**
     * How long a body that others wait for may take for its {@link BodyProgress progress} before it is evicted: longer than
     * TCP takes to get over a lost packet or two.
     */
    static final Duration PROGRESS_TIMEOUT = Duration.ofSeconds(5);

    /** Each loop sweeps more often: where one didn't for so long, what its clients sent meanwhile is still unread. */
    private static final long STOOD_STILL_NANOS = 500_000_000L;

    /** Whose body it is. Called on its own event loop only. */
    interface Occupant {
        Peer peer();

        Context context();

        /** What was waited for is there. */
        void admitted();

        /** Others need the room more, or have had it for too long: the body is to be given up. */
        void evicted();
    }

    /**
     * The sweeps of one event loop.
     *
     * @param last when the last one was
     * @param stoodStillAt when the last one was that came late
     */
    private record Sweeps(long last, long stoodStillAt) {}

    /** What one body holds of the room, or waits for. */
    final class Claim extends BodyClaim {
        private final Occupant occupant;
        private long progressedAt;
        private boolean admitted;
        private boolean told;
        private boolean released;

        private Claim(Occupant occupant, long bytes) {
            super(occupant.peer().network(), ++claims, sweptAt, bytes);
            this.occupant = occupant;
        }

        @Override
        void evict() {
            occupant.context().runOnContext(v -> {
                if (!isReleased()) {
                    occupant.evicted();
                }
            });
        }

        /** Whoever has given it back meanwhile holds nothing that others need. */
        private boolean isReleased() {
            synchronized (Room.this) {
                return released;
            }
        }

        /** From now on it is the client's turn: a body that doesn't come can be evicted. */
        void reading(long now) {
            synchronized (Room.this) {
                progressedAt = now;
                if (admitted) {
                    reading.progressed(this);
                }
            }
        }

        /** Takes so much in all if that fits; false, and nothing more taken, when it doesn't. */
        boolean tryGrow(long wanted) {
            synchronized (Room.this) {
                if (!isFor(wanted) || (wanted > bytes && !fits(this, wanted - bytes))) {
                    return false;
                }
                resize(this, Math.max(bytes, wanted));
                return true;
            }
        }

        /** Gives back what is held, or waits no more. More than once does no harm. */
        void release() {
            synchronized (Room.this) {
                waiting.remove(this);
                released = true;
                if (admitted) {
                    evicting -= told ? bytes : 0;
                    resize(this, 0);
                    admitted = false;
                    reading.remove(this);
                    admitWaiting();
                }
            }
        }
    }

    private final long capacity;
    private final long largest;
    private final long startedAt;
    private final Holdings holdings;
    private final ReadBodies<Claim> reading;
    private final WaitingBodies<Claim> waiting = new WaitingBodies<>();
    /** Bytes of those that were told to go and haven't gone yet. */
    private long evicting;

    private long claims;
    private long sweptAt;
    private final Map<Context, Sweeps> sweeps = new HashMap<>();

    /**
     * @param largest no body that is {@link #tryTake tried} takes more; when it is empty, it takes any other
     * @param now by the clock of the sweeps, none of which has been yet
     */
    Room(long capacity, long largest, long now) {
        this.capacity = capacity;
        this.largest = largest;
        this.startedAt = now;
        this.sweptAt = now;
        this.holdings = new Holdings(capacity);
        this.reading = new ReadBodies<>(holdings);
    }

    /** Takes so many bytes if they fit; null when they don't. */
    synchronized @Nullable Claim tryTake(Occupant occupant, long bytes) {
        Claim claim = new Claim(occupant, 0);
        if (holdings.total() >= capacity || !isFor(bytes) || !fits(claim, bytes)) {
            return null;
        }
        admit(claim, bytes);
        return claim;
    }

    /** Takes so many bytes as soon as they fit, and calls {@link Occupant#admitted} then, in any case later. */
    synchronized Claim await(Occupant occupant, long bytes) {
        Claim claim = new Claim(occupant, bytes);
        waiting.add(claim);
        admitWaiting();
        return claim;
    }

    /**
     * To be called now and then by each event loop: while somebody waits, evicts the slowest bodies that have been slow
     * for too long.
     *
     * @param crowded whether those who wait take connections away from others, who need no room here: the largest go when
     *     they have waited for a while
     */
    synchronized void sweep(Context loop, long now, boolean crowded) {
        sweeps.put(loop, new Sweeps(now, stoodStillAt(loop, now)));
        sweptAt = now;
        if (crowded) {
            waiting.thinOut(now, claim -> stoodStillAt(claim.occupant.context(), now));
        }
        if (!waiting.isEmpty()) {
            evictOverdue(now);
        }
    }

    /** As many as those want who wait: one at a time, others that do not come on would have the places. */
    private void evictOverdue(long now) {
        Claim first = waiting.first();
        // Where only its own network is in its way, nobody else's leaving helps.
        String only = holdings.total() + first.bytes > capacity ? null : first.network;
        long wanted = waiting.bytes();
        for (Claim slow : reading.slowest(only, claim -> isOverdue(claim, now))) {
            if (evicting >= wanted) {
                return;
            }
            slow.told = true;
            evicting += slow.bytes;
            reading.remove(slow);
            slow.evict();
        }
    }

    private boolean isOverdue(Claim claim, long now) {
        return now - Math.max(claim.progressedAt, stoodStillAt(claim.occupant.context(), now))
                > PROGRESS_TIMEOUT.toNanos();
    }

    /** When the bodies of a loop last had no chance to get on: now, where it stands still. */
    private long stoodStillAt(Context loop, long now) {
        Sweeps before = sweeps.getOrDefault(loop, new Sweeps(startedAt, startedAt));
        return now - before.last() > STOOD_STILL_NANOS ? now : before.stoodStillAt();
    }

    /** Whether somebody has waited for so long that something must be wrong. */
    synchronized boolean isWaitedForLong() {
        return waiting.haveWaitedLong(sweptAt);
    }

    /** Whether a body of so many bytes that is {@link #tryTake tried} is taken at all. */
    boolean isFor(long bytes) {
        return bytes <= largest;
    }

    synchronized int waiting() {
        return waiting.size();
    }

    synchronized long bytes() {
        return holdings.total();
    }

    private boolean fits(Claim claim, long bytes) {
        return holdings.allow(claim.network, claim.occupant.peer(), bytes);
    }

    private void admit(Claim claim, long bytes) {
        claim.admitted = true;
        claim.bytes = 0;
        resize(claim, bytes);
    }

    private void resize(Claim claim, long bytes) {
        long more = bytes - claim.bytes;
        claim.bytes = bytes;
        holdings.add(claim.network, claim.occupant.peer(), more);
    }

    private void admitWaiting() {
        for (Iterator<Claim> next = waiting.iterator(); next.hasNext(); ) {
            Claim claim = next.next();
            if (holdings.total() > 0 && holdings.total() + claim.bytes > capacity) {
                // Nor does anyone behind it fit, who wants at least as much.
                return;
            }
            if (fits(claim, claim.bytes)) {
                next.remove();
                admit(claim, claim.bytes);
                claim.occupant.context().runOnContext(v -> claim.occupant.admitted());
            }
        }
    }
}
