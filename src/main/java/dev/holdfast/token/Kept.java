package dev.holdfast.token;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What survives a restart. It writes itself without the tokens.
 *
 * @param generation one more with each that is stored
 * @param service fingerprint of the service and the application that the pair belongs to
 * @param pair null: none yet
 * @param usedCodes fingerprints of the authorization codes that are used up, the latest last
 */
record Kept(long generation, String service, @Nullable TokenPair pair, List<String> usedCodes) {
    private static final int MOST_CODES = 100;

    Kept {
        usedCodes = List.copyOf(usedCodes);
    }

    static Kept nothing(String service) {
        return new Kept(0, service, null, List.of());
    }

    /** For another service or application: the pair is not its. */
    Kept forService(String service) {
        return service.equals(this.service) ? this : new Kept(generation, service, null, usedCodes);
    }

    /** The same as the next generation. */
    Kept again() {
        return new Kept(generation + 1, service, pair, usedCodes);
    }

    /**
     * The next generation.
     *
     * @param usedCode fingerprint of a code that is used up by now; null: none
     */
    Kept next(@Nullable TokenPair pair, @Nullable String usedCode) {
        List<String> codes = new ArrayList<>(usedCodes);
        if (usedCode != null) {
            codes.remove(usedCode);
            codes.add(usedCode);
        }
        List<String> latest = codes.subList(Math.max(0, codes.size() - MOST_CODES), codes.size());
        return new Kept(generation + 1, service, pair, latest);
    }

    @Override
    public String toString() {
        return "Kept[generation=" + generation + ", pair=" + pair + ", " + usedCodes.size() + " used codes]";
    }
}
