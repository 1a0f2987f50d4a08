package dev.holdfast.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the server behind an {@code http} consumer says of a replay that the gateway was ended in.
 *
 * @param wanted positions of the pushes that match
 * @param rate pushes a second at most
 */
record ReplayEvidence(Set<Long> wanted, int rate, List<Forwarded> forwarded) {
    /** The gateway's look at its replays comes five times a second; a second's worth may be saved up. */
    private static final double SAVED_UP_SECONDS = 1.2;
    /** The rate is that of giving pushes to lanes: what waited there, so many at most, then comes at once (RunningReplay). */
    private static final int WAITING_IN_LANES = 512;

    /** Everything that contradicts the promises; empty when they were kept. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        List<Forwarded> replayed = forwarded.stream()
                .filter(push -> push.replay() && push.isTaken())
                .toList();
        Set<Long> had = new HashSet<>();
        replayed.forEach(push -> had.add(push.seq()));
        wanted.stream()
                .filter(seq -> !had.contains(seq))
                .forEach(seq -> complaints.add("wanted, but never replayed: " + seq));
        had.stream()
                .filter(seq -> !wanted.contains(seq))
                .forEach(seq -> complaints.add("replayed, but not wanted: " + seq));
        complaints.addAll(orderComplaints(replayed));
        complaints.addAll(rateComplaints(replayed));
        repeats().forEach((life, count) -> {
            if (count > bound()) {
                complaints.add("life " + life + " replayed " + count + " again (expected: <= " + bound() + ")");
            }
        });
        return complaints;
    }

    /** What may come once more: the work of the last second or so. */
    int bound() {
        return 2 * rate;
    }

    /** For each life, how many pushes it replayed that an earlier one had replayed. */
    Map<String, Integer> repeats() {
        Map<Long, String> first = new HashMap<>();
        Map<String, Integer> again = new HashMap<>();
        for (Forwarded push : forwarded) {
            if (push.replay() && push.isTaken() && first.putIfAbsent(push.seq(), push.life()) != null) {
                again.merge(push.life(), 1, Integer::sum);
            }
        }
        return again;
    }

    private static List<String> orderComplaints(List<Forwarded> replayed) {
        List<String> complaints = new ArrayList<>();
        Map<String, Long> newest = new HashMap<>();
        for (Forwarded push : replayed) {
            Long before = newest.put(push.life() + " " + push.lane(), push.seq());
            if (before != null && before >= push.seq()) {
                complaints.add("replayed out of order: " + push + " after seq " + before);
            }
        }
        return complaints;
    }

    private List<String> rateComplaints(List<Forwarded> replayed) {
        Map<String, List<Forwarded>> lives = new HashMap<>();
        replayed.forEach(push ->
                lives.computeIfAbsent(push.life(), life -> new ArrayList<>()).add(push));
        List<String> complaints = new ArrayList<>();
        lives.forEach((life, pushes) -> {
            double seconds = (pushes.get(pushes.size() - 1).at() - pushes.get(0).at()) / 1e9 + SAVED_UP_SECONDS;
            if (pushes.size() > rate * seconds + WAITING_IN_LANES) {
                complaints.add("too fast: life " + life + " replayed " + pushes.size() + " in " + seconds + " s");
            }
        });
        return complaints;
    }
}
