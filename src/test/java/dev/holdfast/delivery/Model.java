package dev.holdfast.delivery;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What one consumer of a plan must have done in the end, whatever happens on the way. */
final class Model {
    private final PlannedConsumer consumer;
    private final Map<Long, PlannedPush> wanted = new TreeMap<>();

    Model(PlannedConsumer consumer, List<PlannedPush> pushes) {
        this.consumer = consumer;
        for (int i = 0; i < pushes.size(); i++) {
            if (consumer.wants(pushes.get(i))) {
                wanted.put(i + 1L, pushes.get(i));
            }
        }
    }

    PlannedConsumer consumer() {
        return consumer;
    }

    String lane(long seq) {
        return consumer.lane(push(seq));
    }

    PlannedPush push(long seq) {
        PlannedPush push = wanted.get(seq);
        if (push == null) {
            throw new AssertionError("push " + seq + " is not for " + consumer.name());
        }
        return push;
    }

    Set<Long> wanted() {
        return wanted.keySet();
    }

    /** What becomes a dead letter as long as nobody mends it. */
    Set<Long> dead() {
        Set<Long> found = new TreeSet<>(wanted.keySet());
        found.removeIf(seq -> consumer.fatalAttempts(push(seq)) == 0);
        return found;
    }

    /** What does not stick, and lies in no lane behind what does. */
    Set<Long> free() {
        Set<String> stuck = new HashSet<>();
        Set<Long> free = new TreeSet<>();
        wanted.forEach((seq, push) -> {
            if (consumer.sticksAt(push)) {
                stuck.add(consumer.lane(push));
            }
            if (!stuck.contains(consumer.lane(push))) {
                free.add(seq);
            }
        });
        return free;
    }
}
