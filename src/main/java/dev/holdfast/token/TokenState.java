package dev.holdfast.token;

import dev.holdfast.logging.Counted;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The state of the access token. */
enum TokenState {
    /** What was kept is being read. */
    STARTING,
    /** No token yet; a code is being exchanged, again and again if need be. */
    EXCHANGING,
    /** There is a good token, and nothing to do. */
    VALID,
    /** The token is past its renewal point, or expired, and is being renewed, again and again if need be. */
    RENEWING,
    /** Only an operator's authorization code helps. A token that is still good is handed out until it expires. */
    NEEDS_CODE;

    /** As it is shown, e.g. {@code needs-code}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What an operator is told in {@link #NEEDS_CODE}. */
    static String advice(@Nullable CurrentToken current, TokenMemory memory) {
        String token = current == null
                ? "there is no access token"
                : (current.isGood() ? "the access token expires at " : "the access token expired at ")
                        + current.pair().expiresAt()
                        + " and can't be renewed";
        String problem = memory.problem();
        String store = problem.isEmpty() ? "" : " (kept token: " + problem + ")";
        String exchange = "holdfast token exchange --code-env NAME";
        return NEEDS_CODE + ": " + token + store
                + (memory.isLockedOut()
                        ? "; put that right and restart, or have it put aside and exchange a new code: " + exchange
                        : "; an authorization code is needed: " + exchange + ", or token.code"
                                + refused(memory.refusals()));
    }

    private static String refused(int times) {
        if (times == 0) {
            return "";
        }
        boolean again = times < TokenMemory.MOST_REFUSALS;
        return "; the configured one was refused " + Counted.of(times, "time") + " and is " + (again ? "" : "not ")
                + "tried again";
    }
}
