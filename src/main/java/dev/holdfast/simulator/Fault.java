package dev.holdfast.simulator;

import java.util.Locale;

/** What can be wrong with a push, or with the way it is sent. */
public enum Fault {
    /** Everything is right but one digit of the signature. */
    WRONG_SIGNATURE(false, 0),
    /** An earlier push once more, byte for byte. */
    DUPLICATE(true, 0),
    /** Rightly signed, and the last brace is missing. */
    BROKEN_JSON(true, 0),
    /** Rightly signed, with an event and a business field that the interface does not name. */
    UNKNOWN_EVENT(true, 0),
    /** Another body under the id of an earlier push, as the platform's one-second ids bring about. */
    SAME_ID(true, 0),
    /** Healthy, but the body comes in small pieces, on a connection of its own. */
    SLOW_BODY(false, 256),
    /** Healthy, but larger than the receiver accepts, on a connection of its own. */
    OVERSIZE(false, 8);

    private final boolean owed200;
    private final int mostApart;

    Fault(boolean owed200, int mostApart) {
        this.owed200 = owed200;
        this.mostApart = mostApart;
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
        return mostApart > 0;
    }

    /** How many of its pushes may be under way to a target, each on a connection of its own. */
    int mostApart() {
        return mostApart;
    }
}
