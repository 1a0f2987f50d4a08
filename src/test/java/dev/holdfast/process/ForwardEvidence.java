package dev.holdfast.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the server behind an {@code http} consumer says of the crashes, beside the client, the journal and the list of dead
 * letters.
 *
 * @param deadLetters their positions
 */
record ForwardEvidence(List<SentPush> sent, List<KeptPush> kept, List<Forwarded> forwarded, Set<Long> deadLetters) {

    /** Everything that contradicts the promises; empty when they were kept. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>(ordinary().deliveryComplaints());
        complaints.addAll(exactnessComplaints());
        complaints.addAll(firstAttemptComplaints());
        complaints.addAll(letters().complaints());
        return complaints;
    }

    /** For each life, how many pushes came again on their ordinary way that the server had taken in an earlier one. */
    Map<String, Integer> redeliveries() {
        return ordinary().redeliveries();
    }

    private DeadLetterEvidence letters() {
        return new DeadLetterEvidence(forwarded, deadLetters);
    }

    /** The pushes that were never refused, on their ordinary way. */
    private Evidence ordinary() {
        Set<Long> refused = letters().refused();
        Set<BodyDigest> refusedBodies = forwarded.stream()
                .filter(Forwarded::isRefused)
                .map(Forwarded::digest)
                .collect(Collectors.toSet());
        return new Evidence(
                sent.stream()
                        .filter(push -> !refusedBodies.contains(push.digest()))
                        .toList(),
                kept.stream().filter(push -> !refused.contains(push.seq())).toList(),
                forwarded.stream()
                        .filter(push -> push.isTaken() && !push.replay() && !refused.contains(push.seq()))
                        .map(Forwarded::entry)
                        .toList());
    }

    /** Whatever its outcome, a request carries a push as it is kept, and the signature over it. */
    private List<String> exactnessComplaints() {
        Map<Long, BodyDigest> places = new HashMap<>();
        kept.forEach(push -> places.put(push.seq(), push.digest()));
        List<String> complaints = new ArrayList<>();
        for (Forwarded push : forwarded) {
            if (push.outcome() == Forwarded.Outcome.FORGED) {
                complaints.add("not signed as it came: " + push);
            }
            if (!push.digest().equals(places.get(push.seq()))) {
                complaints.add("forwarded, but not kept like this: " + push);
            }
        }
        return complaints;
    }

    /** In a lane a push is first attempted behind the first attempts of all before it, the refused ones included. */
    private List<String> firstAttemptComplaints() {
        List<String> complaints = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        Map<String, Long> newest = new HashMap<>();
        for (Forwarded push : forwarded) {
            if (!push.replay() && seen.add(push.seq())) {
                Long before = newest.put(push.lane(), push.seq());
                if (before != null && before > push.seq()) {
                    complaints.add("attempted too late: " + push + " first after seq " + before);
                }
            }
        }
        return complaints;
    }
}
