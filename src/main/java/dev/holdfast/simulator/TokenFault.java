package dev.holdfast.simulator;

import java.util.Locale;

/** What can go wrong with a request for an access token. */
public enum TokenFault {
    /** Acts, and answers later than anybody waits. */
    SLOW(true),
    /** Does nothing and answers status 500 with the envelope. */
    STATUS_500(false),
    /** Acts, and the last brace of the answer is missing. */
    BROKEN_JSON(true),
    /** Acts, and the lifetime in the answer is a string. */
    WRONG_TYPES(true),
    /** Acts, and answers with a lifetime of nothing. */
    NO_LIFETIME(true),
    /** Acts, and answers with more than anybody wants to read. */
    OVERSIZE(true),
    /** Does nothing and answers with a redirect to itself. */
    REDIRECT(false),
    /** Does nothing and closes the connection. */
    RESET(false),
    /** Acts, and closes the connection. */
    LOST_ANSWER(true),
    /** Refuses the code, or the refresh token, as if it had expired. */
    EXPIRED_CODE(false);

    private final boolean acts;

    TokenFault(boolean acts) {
        this.acts = acts;
    }

    /** Whether the code is used up, or the refresh token rotated, all the same. */
    boolean acts() {
        return acts;
    }

    /** The fault as it is written on the command line, e.g. {@code broken-json}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
