package dev.holdfast.bench;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which pushes a server took, and in which order. Any thread. */
final class Arrivals {
    /** More than come: a table that grows stops who measures for as long as the longest answers take. */
    static final int MANY = 4_000_000;

    private final BitSet seqs = new BitSet(MANY);
    private final Set<Long> signatures = new HashSet<>(MANY);
    /** The newest push of each lane. */
    private final Map<String, Long> newest = new HashMap<>();

    private long repeated;
    private long outOfOrder;

    /**
     * @param seq the push's position
     * @param event a family to itself, and so a lane
     */
    synchronized void add(long seq, String event, String signature) {
        long before = newest.merge(event, seq, Math::max);
        if (seqs.get((int) seq)) {
            repeated++;
        } else if (before > seq) {
            outOfOrder++;
        }
        seqs.set((int) seq);
        signatures.add(brief(signature));
    }

    /** Pushes that came more than once: at least once is what is promised. */
    synchronized long repeated() {
        return repeated;
    }

    /** Pushes that first came after a later one of their lane. */
    synchronized long outOfOrder() {
        return outOfOrder;
    }

    /** Positions up to {@code last} of which nothing came. */
    synchronized long missingUpTo(long last) {
        return last - seqs.get(1, (int) last + 1).cardinality();
    }

    /** How many of the pushes signed so never came. */
    synchronized long missing(Set<Long> sent) {
        return sent.stream()
                .filter(signature -> !signatures.contains(signature))
                .count();
    }

    /** Enough of a signature to tell bodies apart. */
    static long brief(String signature) {
        return Long.parseUnsignedLong(signature, 0, 16, 16);
    }
}
