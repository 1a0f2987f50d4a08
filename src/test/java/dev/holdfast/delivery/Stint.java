package dev.holdfast.delivery;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** What a consumer did between being added and being paused, stopped or struck by a crash. */
final class Stint {
    private final List<Attempt> attempts = new CopyOnWriteArrayList<>();
    private boolean crashed;

    /** In the order of the calls: one that the gateway has given up may end when others of the same push are over. */
    synchronized void add(Attempt attempt) {
        int at = attempts.size();
        while (at > 0 && attempts.get(at - 1).called() > attempt.called()) {
            at--;
        }
        attempts.add(at, attempt);
    }

    /** The gateway says what has become of a push. It waits for one attempt at a time: those before the newest came to nothing. */
    synchronized void heard(long seq, boolean done) {
        for (int i = attempts.size() - 1; i >= 0; i--) {
            Attempt attempt = attempts.get(i);
            if (attempt.seq() == seq) {
                attempts.set(i, attempt.done() == done ? attempt.asHeard() : attempt);
                return;
            }
        }
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
