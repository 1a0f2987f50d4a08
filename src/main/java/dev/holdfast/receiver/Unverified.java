package dev.holdfast.receiver;

import io.vertx.core.Context;

/**
 * The room for bodies whose signature isn't verified yet: nothing of it is taken from pushes that are verified and wait
 * for the journal. A body that comes in one piece passes without any.
 *
 * @param large for signed bodies of more than {@link #SMALL_BODY} bytes: each takes its whole length before it is read
 *     (where that isn't declared, the largest there may be, once it is past those bytes), and waits for it
 * @param small for other signed bodies that don't come in one piece: the rest of each waits for room for all of it
 * @param unsigned for requests without a well-formed signature; who doesn't find room there, or wants more than a network's
 *     share of it, is refused unread: one of any size would keep all others out of the quarantine
 */
record Unverified(Room large, Room small, Room unsigned) {
    /** Bytes. */
    static final int SMALL_BODY = 16 * 1024;

    /**
     * A half of {@code maxInFlight} in all; but one of {@code maxBody}, and a few small bodies, always find room.
     *
     * @param now by the clock of the sweeps
     */
    static Unverified within(long maxInFlight, long maxBody, long now) {
        return new Unverified(
                new Room(Math.max(maxInFlight / 8 * 3, maxBody), maxBody, now),
                new Room(Math.max(maxInFlight / 16, 16 * SMALL_BODY), SMALL_BODY, now),
                new Room(maxInFlight / 16, maxInFlight / 16 / 4, now));
    }

    /** @param crowded whether other connections wait for one to end */
    void sweep(Context loop, long now, boolean crowded) {
        large.sweep(loop, now, crowded);
        small.sweep(loop, now, crowded);
    }

    /** Whether somebody has waited for so long that something must be wrong. */
    boolean isWaitedForLong() {
        return large.isWaitedForLong() || small.isWaitedForLong();
    }

    int waiting() {
        return large.waiting() + small.waiting();
    }
}
