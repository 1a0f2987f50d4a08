package dev.holdfast.receiver;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The bodies of a room that are being read, in the order of their last progress. For one thread at a time. */
final class ReadBodies<C extends BodyClaim> {
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

    /** Those that are overdue, first those whose network holds more than its share; of the network {@code only} if given. */
    List<C> slowest(@Nullable String only, Predicate<C> isOverdue) {
        List<C> greedy = new ArrayList<>();
        List<C> others = new ArrayList<>();
        for (C claim : claims) {
            if ((only == null || only.equals(claim.network)) && isOverdue.test(claim)) {
                (holdings.isGreedy(claim.network) ? greedy : others).add(claim);
            }
        }
        greedy.addAll(others);
        return greedy;
    }
}
