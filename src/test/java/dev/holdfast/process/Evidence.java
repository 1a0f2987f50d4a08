package dev.holdfast.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What three witnesses of the crashes say: the client of what it sent, the journal of what it keeps, and the consumer of
 * what it got.
 */
record Evidence(List<SentPush> sent, List<KeptPush> kept, List<DiaryEntry> diary) {
    /** What may come again after a crash: the cursor's lag (Cursor.REDELIVERY_BOUND) and what was under way (Window). */
    static final int REDELIVERY_BOUND = 4096 + 4096;

    /** Everything that contradicts the promises; empty when they were kept. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>(journalComplaints());
        complaints.addAll(deliveryComplaints());
        return complaints;
    }

    /** The promises of the answer: what was answered 200 is kept as it was sent, and nothing else is. */
    List<String> journalComplaints() {
        List<String> complaints = new ArrayList<>();
        Set<BodyDigest> known = new HashSet<>();
        sent.forEach(push -> known.add(push.digest()));
        Map<BodyDigest, Long> places = new HashMap<>();
        long expected = kept.isEmpty() ? 1 : kept.get(0).seq();
        for (KeptPush push : kept) {
            if (push.seq() != expected) {
                complaints.add("gap: found seq " + push.seq() + " (expected: " + expected + ")");
            }
            expected = push.seq() + 1;
            if (!known.contains(push.digest())) {
                complaints.add("never sent, but kept: " + push);
            }
            Long twin = places.put(push.digest(), push.seq());
            if (twin != null) {
                complaints.add("kept twice: " + push + " and seq " + twin);
            }
        }
        sent.stream()
                .filter(push -> push.acknowledged() && !places.containsKey(push.digest()))
                .forEach(push -> complaints.add("answered 200, but not kept: " + push));
        return complaints;
    }

    /** The promises of the delivery: the consumer got what is kept, all of it, in order. */
    List<String> deliveryComplaints() {
        List<String> complaints = new ArrayList<>();
        Map<Long, BodyDigest> got = new HashMap<>();
        diary.forEach(entry -> got.put(entry.seq(), entry.digest()));
        for (KeptPush push : kept) {
            if (!push.digest().equals(got.get(push.seq()))) {
                complaints.add("kept, but not handled as it is: " + push);
            }
        }
        Set<BodyDigest> handled = new HashSet<>(got.values());
        sent.stream()
                .filter(push -> push.acknowledged() && !handled.contains(push.digest()))
                .forEach(push -> complaints.add("answered 200, but never handled: " + push));
        complaints.addAll(inventedComplaints());
        complaints.addAll(orderComplaints());
        redeliveries().forEach((life, count) -> {
            if (count > REDELIVERY_BOUND) {
                complaints.add("process " + life + " got " + count + " pushes again (expected: <= " + REDELIVERY_BOUND);
            }
        });
        return complaints;
    }

    private List<String> inventedComplaints() {
        Map<Long, BodyDigest> places = new HashMap<>();
        kept.forEach(push -> places.put(push.seq(), push.digest()));
        return diary.stream()
                .filter(entry -> !entry.digest().equals(places.get(entry.seq())))
                .map(entry -> "handled, but not kept like this: " + entry)
                .toList();
    }

    /** In a lane, positions rise within one life, and a push that is new to the consumer comes after all others. */
    private List<String> orderComplaints() {
        List<String> complaints = new ArrayList<>();
        Map<String, Long> newestInLife = new HashMap<>();
        Map<String, Long> newestEver = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        for (DiaryEntry entry : diary) {
            Long before = newestInLife.put(entry.life() + " " + entry.lane(), entry.seq());
            if (before != null && before >= entry.seq()) {
                complaints.add("out of order: " + entry + " after seq " + before);
            }
            if (seen.add(entry.seq())) {
                Long ever = newestEver.put(entry.lane(), entry.seq());
                if (ever != null && ever > entry.seq()) {
                    complaints.add("overtaken: " + entry + " handled first after seq " + ever);
                }
            }
        }
        return complaints;
    }

    /** For each life of the consumer, how many of its pushes an earlier life had handled already. */
    Map<String, Integer> redeliveries() {
        Map<Long, String> firstLife = new HashMap<>();
        Map<String, Integer> again = new HashMap<>();
        for (DiaryEntry entry : diary) {
            String first = firstLife.putIfAbsent(entry.seq(), entry.life());
            if (first != null) {
                again.merge(entry.life(), 1, Integer::sum);
            }
        }
        return again;
    }
}
