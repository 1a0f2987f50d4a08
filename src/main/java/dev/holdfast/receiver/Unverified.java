package dev.holdfast.receiver;

/**
 * The rooms for bodies whose signature isn't verified yet: nothing of them is taken from pushes that are verified and wait
 * for the journal. Other signed bodies take none: there are no more of them than connections and streams, which have memory
 * for that.
 *
 * @param large for signed bodies of more than {@link #SMALL_BODY} bytes: each takes its whole length before it is read
 *     (where that isn't declared, the largest there may be, once it is past those bytes), and waits for it
 * @param unsigned for requests without a well-formed signature; who doesn't find room there, or wants more than a network's
 *     share of it, is refused unread: one of any size would keep all others out of the quarantine
 */
record Unverified(Room large, Room unsigned) {
    /** Bytes: what a connection has memory for. */
    static final int SMALL_BODY = 16 * 1024;

    /**
     * Less than a half of {@code maxInFlight} in all; but one of {@code maxBody} always finds room.
     *
     * @param now by the clock of the sweeps
     */
    static Unverified within(long maxInFlight, long maxBody, long now) {
        return new Unverified(
                new Room(Math.max(maxInFlight / 8 * 3, maxBody), maxBody, now),
                new Room(maxInFlight / 16, maxInFlight / 16 / 4, now));
    }
}
