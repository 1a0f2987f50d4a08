package dev.holdfast.delivery;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** What a consumer did between being added and being paused, stopped or struck by a crash. */
final class Stint {
    private final List<Attempt> attempts = new CopyOnWriteArrayList<>();
    /** What the gateway says was handled, each time that it says so. */
    private final Queue<Long> acknowledged = new ConcurrentLinkedQueue<>();

    private boolean crashed;

    void add(Attempt attempt) {
        if (isUnanswered(attempt.seq())) {
            attempts.replaceAll(before -> attempt.followsLate(before) ? before.asLate() : before);
        }
        attempts.add(attempt);
    }

    /** Whether a push was handled and the gateway has not said so. */
    private boolean isUnanswered(long seq) {
        long handled = handled().filter(attempt -> attempt.seq() == seq).count();
        return handled > acknowledged.stream().filter(known -> known == seq).count();
    }

    void acknowledged(long seq) {
        acknowledged.add(seq);
    }

    /** In their order, as far as lanes have one. */
    List<Attempt> attempts() {
        return attempts;
    }

    Stream<Attempt> handled() {
        return attempts.stream().filter(Attempt::handled);
    }

    void crash() {
        crashed = true;
    }

    boolean hasCrashed() {
        return crashed;
    }
}
