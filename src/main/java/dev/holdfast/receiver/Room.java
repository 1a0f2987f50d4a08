package dev.holdfast.receiver;

import io.vertx.core.Context;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Memory set apart for bodies that are still coming in, over all event loops. Up to half of it is anybody's; beyond that
 * a source address holds no more than a quarter of the room and a connection no more than an eighth, one body always
 * being allowed. Who doesn't fit waits, smaller bodies first, or is refused, as the caller wants it; and while somebody
 * waits, the body that has brought least lately is evicted. Any thread.
 */
final class Room {
    /**
     * How long a body that others wait for may take for {@link Deadlines#PROGRESS_BYTES} before it is evicted: longer than TCP
     * takes to get over a lost packet or two.
     */
    static final long PROGRESS_TIMEOUT_NANOS = 5_000_000_000L;

    /** Sweeps come more often: where none came for so long, what the clients sent meanwhile is still unread. */
    private static final long STOOD_STILL_NANOS = 500_000_000L;

    /** However many event loops sweep. */
    private static final long THINNING_NANOS = 100_000_000L;

    /** Of those who wait, so many at once, before the next connections show what they bring. */
    private static final int THINNED_PART = 8;

    /** How many of the slowest are looked at for one whose address holds more than its share. */
    private static final int LOOKED_AT = 64;

    /** Whose body it is. Called on its own event loop only. */
    interface Occupant {
        Peer peer();

        Context context();

        /** What was waited for is there. */
        void admitted();

        /** Others need the room more: the body is to be given up. */
        void evicted();
    }

    /** What one body holds of the room, or waits for. */
    final class Claim {
        private final Occupant occupant;
        private final String address;
        private final long number;
        /** When it came, to the grain of the sweeps. */
        private final long since;

        private long bytes;
        private long progressedAt;
        private boolean admitted;

        private Claim(Occupant occupant, long bytes) {
            this.occupant = occupant;
            this.address = occupant.peer().address();
            this.bytes = bytes;
            this.number = ++claims;
            this.since = sweptAt;
        }

        /** Whether this is a claim to {@code other}. */
        boolean isTo(Room other) {
            return Room.this == other;
        }

        /** From now on it is the client's turn: a body that doesn't come can be evicted. */
        void reading(long now) {
            synchronized (Room.this) {
                progressedAt = now;
                if (admitted) {
                    reading.remove(this);
                    reading.add(this);
                }
            }
        }

        /** Takes so much in all if that fits; false, and nothing more taken, when it doesn't. */
        boolean tryGrow(long wanted) {
            synchronized (Room.this) {
                if (wanted > bytes && !fits(this, wanted - bytes)) {
                    return false;
                }
                resize(this, Math.max(bytes, wanted));
                return true;
            }
        }

        /** Takes so much in all; when that is more than there is, the slowest body is evicted. */
        void grow(long wanted) {
            synchronized (Room.this) {
                resize(this, Math.max(bytes, wanted));
                makeRoom();
            }
        }

        /** Gives back what is held, or waits no more. More than once does no harm. */
        void release() {
            synchronized (Room.this) {
                waiting.remove(this);
                if (admitted) {
                    resize(this, 0);
                    admitted = false;
                    reading.remove(this);
                    if (evicting == this) {
                        evicting = null;
                    }
                    admitWaiting();
                    makeRoom();
                }
            }
        }
    }

    private final long capacity;
    private final Map<Object, Long> holders = new HashMap<>();
    /** Those that were made to wait the longest for progress come first. */
    private final Set<Claim> reading = new LinkedHashSet<>();

    private final NavigableSet<Claim> waiting = new TreeSet<>(
            Comparator.comparingLong((Claim claim) -> claim.bytes).thenComparingLong(claim -> claim.number));
    /** Was told to go and hasn't gone yet. */
    private @Nullable Claim evicting;

    private long held;
    private long claims;
    private long sweptAt;
    private long stoodStillAt;
    private long thinnedAt;

    Room(long capacity) {
        this.capacity = capacity;
    }

    /** Takes so many bytes if they fit; null when they don't. */
    synchronized @Nullable Claim tryTake(Occupant occupant, long bytes) {
        Claim claim = new Claim(occupant, 0);
        if (held >= capacity || !fits(claim, bytes)) {
            return null;
        }
        admit(claim, bytes);
        return claim;
    }

    /** Takes so many bytes; when that is more than there is, the slowest body is evicted. */
    synchronized Claim take(Occupant occupant, long bytes) {
        Claim claim = new Claim(occupant, 0);
        admit(claim, bytes);
        makeRoom();
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
     * To be called now and then: while somebody waits, evicts the slowest body if that has been slow for too long.
     *
     * @param crowded whether those who wait take connections away from others, who need no room here: the largest go when
     *     they have waited for a while
     */
    synchronized void sweep(long now, boolean crowded) {
        if (crowded && now - thinnedAt >= THINNING_NANOS) {
            thinnedAt = now;
            thinOutWaiting(now);
        }
        if (now - sweptAt > STOOD_STILL_NANOS) {
            stoodStillAt = now;
        }
        sweptAt = now;
        if (waiting.isEmpty() || evicting != null) {
            return;
        }
        Claim first = waiting.first();
        // Where only its own address is in its way, nobody else's leaving helps.
        Claim slowest = slowest(held + first.bytes > capacity ? null : first.address);
        if (slowest != null && now - Math.max(slowest.progressedAt, stoodStillAt) > PROGRESS_TIMEOUT_NANOS) {
            evict(slowest);
        }
    }

    /** Whoever fills the connections with those that wait wants as much as there is to be had, and they go first. */
    private void thinOutWaiting(long now) {
        int left = (waiting.size() + THINNED_PART - 1) / THINNED_PART;
        for (Iterator<Claim> largest = waiting.descendingIterator(); left > 0 && largest.hasNext(); ) {
            Claim claim = largest.next();
            if (now - Math.max(claim.since, stoodStillAt) > Deadlines.CROWDED_NANOS) {
                largest.remove();
                left--;
                claim.occupant.context().runOnContext(v -> claim.occupant.evicted());
            }
        }
    }

    synchronized int waiting() {
        return waiting.size();
    }

    synchronized long bytes() {
        return held;
    }

    private boolean fits(Claim claim, long more) {
        long wanted = held + more;
        if (held == 0 || wanted <= capacity / 2) {
            return true;
        }
        return wanted <= capacity
                && hasShare(claim.address, more, capacity / 4)
                && hasShare(claim.occupant.peer(), more, capacity / 8);
    }

    private boolean hasShare(Object holder, long more, long share) {
        long has = holders.getOrDefault(holder, 0L);
        return has == 0 || has + more <= share;
    }

    private void admit(Claim claim, long bytes) {
        claim.admitted = true;
        claim.bytes = 0;
        resize(claim, bytes);
    }

    private void resize(Claim claim, long bytes) {
        long more = bytes - claim.bytes;
        claim.bytes = bytes;
        held += more;
        holders.compute(claim.address, (key, has) -> plus(has, more));
        holders.compute(claim.occupant.peer(), (key, has) -> plus(has, more));
    }

    private static @Nullable Long plus(@Nullable Long has, long more) {
        long sum = (has == null ? 0 : has) + more;
        return sum == 0 ? null : sum;
    }

    private void admitWaiting() {
        for (Iterator<Claim> next = waiting.iterator(); next.hasNext(); ) {
            Claim claim = next.next();
            if (held > 0 && held + claim.bytes > capacity) {
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

    private void makeRoom() {
        Claim slowest = held > capacity && evicting == null ? slowest(null) : null;
        if (slowest != null) {
            evict(slowest);
        }
    }

    /** Of the slowest ones, rather one whose address holds more than its share; of the address {@code only} if given. */
    private @Nullable Claim slowest(@Nullable String only) {
        Claim slowest = null;
        int seen = 0;
        for (Claim claim : reading) {
            if (only != null && !only.equals(claim.address)) {
                continue;
            }
            if (holders.getOrDefault(claim.address, 0L) > capacity / 4) {
                return claim;
            }
            slowest = slowest == null ? claim : slowest;
            if (++seen == LOOKED_AT) {
                break;
            }
        }
        return slowest;
    }

    private void evict(Claim claim) {
        evicting = claim;
        reading.remove(claim);
        claim.occupant.context().runOnContext(v -> claim.occupant.evicted());
    }
}
