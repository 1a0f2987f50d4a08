package dev.holdfast.process;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the server behind an {@code http} consumer refused for good and took later, and what the gateway lists.
 *
 * @param deadLetters the positions listed
 */
record DeadLetterEvidence(List<Forwarded> forwarded, Set<Long> deadLetters) {
    /** A letter stays one until it was handled, and nothing else is one. After a kill one that was handled may be there still. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        Set<Long> refused = refused();
        Set<Long> recovered = recovered();
        refused.stream()
                .filter(seq -> !deadLetters.contains(seq) && !recovered.contains(seq))
                .forEach(seq -> complaints.add("refused for good, but neither a dead letter nor taken since: " + seq));
        deadLetters.stream()
                .filter(seq -> !refused.contains(seq))
                .forEach(seq -> complaints.add("a dead letter, but never refused: " + seq));
        return complaints;
    }

    /** Positions of all that were ever refused. */
    Set<Long> refused() {
        Set<Long> refused = new HashSet<>();
        forwarded.stream().filter(Forwarded::isRefused).forEach(push -> refused.add(push.seq()));
        return refused;
    }

    /** Those of them that were taken since, otherwise than by a replay, which leaves a dead letter what it is. */
    Set<Long> recovered() {
        Set<Long> refused = new HashSet<>();
        Set<Long> recovered = new HashSet<>();
        for (Forwarded push : forwarded) {
            if (push.isRefused()) {
                refused.add(push.seq());
                recovered.remove(push.seq());
            } else if (push.isTaken() && !push.replay() && refused.contains(push.seq())) {
                recovered.add(push.seq());
            }
        }
        return recovered;
    }
}
