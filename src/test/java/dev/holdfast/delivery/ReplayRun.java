package dev.holdfast.delivery;

import java.util.Map;
import java.util.Set;

/** A replay of a play: what it has to bring to whom. */
final class ReplayRun {
    private final int number;
    private final Map<String, Set<Long>> seqs;

    /** @param seqs by the consumer's name */
    ReplayRun(int number, Map<String, Set<Long>> seqs) {
        this.number = number;
        this.seqs = seqs;
    }

    int number() {
        return number;
    }

    Set<Long> seqs(String consumer) {
        return seqs.getOrDefault(consumer, Set.of());
    }
}
