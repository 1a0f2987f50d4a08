package dev.holdfast.simulator;

import java.util.Locale;

/** What can be wrong with a push, or with the way it is sent. */
public enum Fault {
    /** Everything is right but one digit of the signature. */
    WRONG_SIGNATURE(false),
    /** An earlier push once more, byte for byte. */
    DUPLICATE(true),
    /** Rightly signed, and the last brace is missing. */
    BROKEN_JSON(true),
    /** Rightly signed, with an event and a business field that the interface does not name. */
    UNKNOWN_EVENT(true),
    /** Another body under the id of an earlier push, as the platform's one-second ids bring about. */
    SAME_ID(true),
    /** Healthy, but the body comes in small pieces, on a connection of its own. */
    SLOW_BODY(false),
    /** Healthy, but larger than the receiver accepts, on a connection of its own. */
    OVERSIZE(false);

    private final boolean owed200;

    Fault(boolean owed200) {
        this.owed200 = owed200;
    }

    /** Whether a push with this fault must be answered {@code 200} all the same. */
    public boolean owed200() {
        return owed200;
    }

    /** As it is written on the command line and in reports, e.g. {@code wrong-signature}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether its push would hold up others on a shared connection. */
    boolean needsOwnConnection() {
        return this == SLOW_BODY || this == OVERSIZE;
    }
}
