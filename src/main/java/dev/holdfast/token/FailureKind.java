package dev.holdfast.token;

import java.util.Locale;

/** Why a request for a token failed. */
enum FailureKind {
    /**
     * The service refused: a {@code code} other than 0. Tried again seldom, since the meaning of codes is not
     * published.
     */
    REJECTED,
    /** The answer's code or its token is missing or of another type than published. */
    MISTYPED,
    /** No status of success. */
    BAD_STATUS,
    /** An answer that is no JSON object. */
    NO_JSON,
    /** An answer past 64 KiB. */
    OVERSIZED,
    /** No complete answer in time. */
    TIMED_OUT,
    /** No connection: refused, no such host, no way to it. */
    UNREACHABLE,
    /** No TLS connection, or a certificate that is not trusted. */
    TLS,
    /** The connection ended before the answer did. */
    BROKEN;

    /** As it is shown, e.g. {@code timed-out}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
