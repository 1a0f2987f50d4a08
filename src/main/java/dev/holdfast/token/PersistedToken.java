package dev.holdfast.token;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What survives a restart. It writes itself without the tokens.
 *
 * @param generation counts what was stored: one more each time
 * @param service fingerprint of the service and the application that the pair belongs to
 * @param pair null: none yet
 * @param usedCodes fingerprints of the authorization codes that are used up, the latest last
 * @param refused the configured code that was refused last; null: none was
 */
record PersistedToken(
        long generation,
        String service,
        @Nullable TokenPair pair,
        List<String> usedCodes,
        @Nullable Refused refused) {
    /** How often the service refused the code of this fingerprint. */
    record Refused(String code, int times) {}

    private static final int MOST_CODES = 100;

    PersistedToken {
        usedCodes = List.copyOf(usedCodes);
    }

    static PersistedToken nothing(String service) {
        return new PersistedToken(0, service, null, List.of(), null);
    }

    /** The pair if it belongs to this service and application; while others are configured it is kept for them. */
    @Nullable
    TokenPair pairFor(String service) {
        return service.equals(this.service) ? pair : null;
    }

    /** The same content as the next generation. */
    PersistedToken again() {
        return new PersistedToken(generation + 1, service, pair, usedCodes, refused);
    }

    /**
     * The next generation, with a pair from this service.
     *
     * @param usedCode fingerprint of a code that is used up by now; null: none
     */
    PersistedToken next(String service, TokenPair pair, @Nullable String usedCode) {
        List<String> codes = new ArrayList<>(usedCodes);
        if (usedCode != null) {
            codes.remove(usedCode);
            codes.add(usedCode);
        }
        List<String> latest = codes.subList(Math.max(0, codes.size() - MOST_CODES), codes.size());
        return new PersistedToken(generation + 1, service, pair, latest, refused);
    }

    /** How often the code of this fingerprint was refused. */
    int refusals(String code) {
        return refused != null && refused.code().equals(code) ? refused.times() : 0;
    }

    /** The next generation, after a code was refused once more. */
    PersistedToken refusing(String code) {
        return new PersistedToken(generation + 1, service, pair, usedCodes, new Refused(code, refusals(code) + 1));
    }

    @Override
    public String toString() {
        return "PersistedToken[generation=" + generation + ", pair=" + pair + ", " + usedCodes.size() + " used codes]";
    }
}
