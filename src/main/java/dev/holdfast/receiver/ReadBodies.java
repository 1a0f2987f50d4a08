package dev.holdfast.receiver;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The bodies of a room that are being read, in the order of their last progress. For one thread at a time. */
final class ReadBodies<C extends BodyClaim> {
    /** How many of the slowest are looked at for one whose network holds more than its share. */
    private static final int LOOKED_AT = 64;

    private final Set<C> claims = new LinkedHashSet<>();
    private final Holdings holdings;

    ReadBodies(Holdings holdings) {
        this.holdings = holdings;
    }

    void progressed(C claim) {
        claims.remove(claim);
        claims.add(claim);
    }

    void remove(C claim) {
        claims.remove(claim);
    }

    /** Of the slowest ones, rather one whose network holds more than its share; of the network {@code only} if given. */
    @Nullable
    C slowest(@Nullable String only) {
        C slowest = null;
        int seen = 0;
        for (C claim : claims) {
            if (only != null && !only.equals(claim.network)) {
                continue;
            }
            if (holdings.isGreedy(claim.network)) {
                return claim;
            }
            slowest = slowest == null ? claim : slowest;
            if (++seen == LOOKED_AT) {
                break;
            }
        }
        return slowest;
    }
}
