package dev.holdfast.delivery;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** What a consumer did between being added and being paused, stopped or struck by a crash. */
final class Stint {
    private final List<Attempt> attempts = new CopyOnWriteArrayList<>();
    private boolean crashed;

    void add(Attempt attempt) {
        attempts.replaceAll(before -> attempt.followsLate(before) ? before.late() : before);
        attempts.add(attempt);
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
