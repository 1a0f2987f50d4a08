package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whether one consumer got what the model expects, in the order that was promised. */
final class ModelCheck {
    /** Of so many that are missing all is told: it is asked again and again while they are on their way. */
    private static final int TOLD = 3;

    private final Model model;
    private final Performance performance;
    private final String name;

    ModelCheck(Model model, Performance performance) {
        this.model = model;
        this.performance = performance;
        this.name = model.consumer().name();
    }

    /** What was handled on its ordinary way, and is never a dead letter. */
    private List<Long> handled(Stint stint) {
        return stint.handled()
                .filter(attempt -> attempt.replay() == 0 && !isDeadly(attempt))
                .map(Attempt::seq)
                .toList();
    }

    private boolean isDeadly(Attempt attempt) {
        return model.consumer().fatalAttempts(model.push(attempt.seq())) > 0;
    }

    /** Handled on its ordinary way so far, or, where planned, tried and given up. */
    Set<Long> settled() {
        Set<Long> settled = new TreeSet<>();
        for (Stint stint : performance.stints()) {
            stint.attempts().stream()
                    .filter(attempt -> attempt.replay() == 0)
                    .filter(attempt -> attempt.done()
                            || model.consumer().fatalAttempts(model.push(attempt.seq())) == attempt.number())
                    .forEach(attempt -> settled.add(attempt.seq()));
        }
        return settled;
    }

    /** Fails with those of {@code expected} that are not settled, and all that is known of the first of them. */
    void nothingIsMissing(String what, Set<Long> expected) {
        Set<Long> missing = new TreeSet<>(expected);
        missing.removeAll(settled());
        assertThat(missing)
                .as(() -> what + ": "
                        + missing.stream().limit(TOLD).map(this::history).toList())
                .isEmpty();
    }

    private String history(long seq) {
        StringBuilder text = new StringBuilder(name + ": " + seq + " = " + model.push(seq));
        for (int i = 0; i < performance.stints().size(); i++) {
            for (Attempt attempt : performance.stints().get(i).attempts()) {
                if (attempt.seq() == seq) {
                    text.append(", stint ").append(i).append(": ").append(attempt);
                }
            }
        }
        return text.toString();
    }

    /** What the consumer has handled, also where a crash came before the gateway said so. */
    Set<Long> done() {
        return performance.stints().stream()
                .flatMap(stint -> stint.attempts().stream())
                .filter(Attempt::done)
                .map(Attempt::seq)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    void nothingWasInvented() {
        assertThat(performance.complaints()).as(name).isEmpty();
    }

    /**
     * Never a lane twice at a time, nor more lanes than the consumer has concurrency. Of calls whose answers the gateway believed: one
     * that it has given up lasts on.
     */
    void fewWereUnderWayAtATime() {
        for (Stint stint : performance.stints()) {
            List<Attempt> handled = stint.handled().toList();
            for (Attempt one : handled) {
                List<Attempt> underWay = handled.stream()
                        .filter(other -> other.isUnderWay(one.called()))
                        .toList();
                assertThat(underWay)
                        .as("%s, under way as %s was called", name, one)
                        .hasSizeLessThanOrEqualTo(model.consumer().concurrency())
                        .extracting(other -> model.lane(other.seq()))
                        .doesNotHaveDuplicates();
            }
        }
    }

    /** Within a lane positions only grow, but for one step back behind each crash. */
    void lanesAreInOrder() {
        Map<String, Long> newest = new HashMap<>();
        for (Stint stint : performance.stints()) {
            handled(stint).forEach(seq -> mustGrow(newest, seq));
            if (stint.hasCrashed()) {
                newest.clear();
            }
        }
    }

    private void mustGrow(Map<String, Long> newest, long seq) {
        Long before = newest.put(model.lane(seq), seq);
        assertThat(seq)
                .as(() -> "lane " + model.lane(seq) + ", " + history(seq))
                .isGreaterThan(before == null ? 0 : before);
    }

    /**
     * Only behind a crash comes again what was handled before: of the stint that it ended so many pushes, and of those before
     * no more than lie in the window.
     */
    void littleComesAgain(Limits limits) {
        int concurrency = model.consumer().concurrency();
        int sinceTheSave =
                limits.unsaved() + concurrency * limits.ofLanes(concurrency).batch();
        List<Stint> stints = performance.stints();
        Set<Long> later = new TreeSet<>();
        Set<Long> behindCrash = new TreeSet<>();
        for (int i = stints.size() - 1; i >= 0; i--) {
            Stint stint = stints.get(i);
            if (stint.hasCrashed()) {
                behindCrash.addAll(later);
                later.clear();
            }
            List<Long> handled = handled(stint);
            int most = limits.ahead() + (stint.hasCrashed() ? sinceTheSave : 0);
            assertThat(again(handled, behindCrash))
                    .as("%s, after a crash again of stint %d", name, i)
                    .hasSizeLessThanOrEqualTo(most);
            assertThat(again(handled, later))
                    .as("%s, without a crash again of stint %d", name, i)
                    .isEmpty();
            later.addAll(handled);
        }
    }

    private List<String> again(List<Long> handled, Set<Long> later) {
        return handled.stream().filter(later::contains).map(this::history).toList();
    }

    /**
     * Attempts count from 1, and on over stops and bounces, and never beyond those that make a dead letter; a crash may cost
     * some of the count. Anew when it is retried or a replay brings a push once more; retries that are under way at the same
     * time count each for itself.
     */
    void attemptsAreNumbered() {
        Map<String, Attempt> latest = new HashMap<>();
        Map<String, Integer> highest = new HashMap<>();
        Set<String> sinceTheCrash = new HashSet<>();
        boolean mayHaveBeenSlowed = mayHaveBeenSlowed();
        for (Stint stint : performance.stints()) {
            for (Attempt attempt : stint.attempts()) {
                String key = attempt.seq() + "/" + attempt.replay();
                Attempt before = latest.put(key, attempt);
                boolean known = !sinceTheCrash.add(key) && attempt.replay() == 0;
                int next = before == null ? 1 : before.number() + (before.handled() ? 0 : 1);
                if (before != null && isDeadly(attempt) && attempt.replay() == 0) {
                    next = Math.max(next, anew(attempt.seq(), known, highest.getOrDefault(key, 0)));
                }
                highest.merge(key, attempt.number(), Math::max);
                int fatal = model.consumer().fatalAttempts(model.push(attempt.seq()));
                boolean counted = fatal > 0 && !mayHaveBeenSlowed;
                // Of a batch that had no answer none counts: nobody knows which of them held it up.
                int least = fatal == 0 && known ? (before.heard() ? next : before.number()) : 1;
                assertThat(attempt.number())
                        .as(() -> "attempt of " + history(attempt.seq()))
                        .isBetween(least, counted ? Math.min(next, fatal) : next);
            }
            if (stint.hasCrashed()) {
                sinceTheCrash.clear();
            }
        }
    }

    /**
     * What a dead letter that is retried may go on with.
     *
     * @param reached the highest number so far
     */
    private int anew(long seq, boolean known, int reached) {
        if (performance.isRetriedMoreThanOnce(seq)) {
            return reached + 1;
        }
        // It was handled when it was retried, and a crash left only an earlier failure.
        return known ? 1 : reached;
    }

    /**
     * Whether so many pushes failed with none handled between them that the consumer may have been taken for one that fails
     * everything: what is attempted then doesn't count. The gateway may have seen them in another order.
     */
    boolean mayHaveBeenSlowed() {
        for (Stint stint : performance.stints()) {
            Set<Long> failed = new TreeSet<>();
            for (Attempt attempt : stint.attempts()) {
                if (attempt.handled()) {
                    failed.clear();
                } else {
                    failed.add(attempt.seq());
                }
                if (failed.size() > CircuitBreaker.THRESHOLD / 2) {
                    return true;
                }
            }
        }
        return false;
    }

    /** All of it, nothing else, in the order of the lanes, and again only behind a crash. */
    void wasReplayed(ReplayRun replay) {
        Set<Long> replayed = new TreeSet<>();
        Map<String, Long> newest = new HashMap<>();
        for (Stint stint : performance.stints()) {
            for (Attempt attempt : stint.attempts()) {
                if (attempt.replay() != replay.number()) {
                    continue;
                }
                if (attempt.handled()) {
                    mustGrow(newest, attempt.seq());
                }
                if (attempt.done() || isDeadly(attempt)) {
                    replayed.add(attempt.seq());
                }
            }
            if (stint.hasCrashed()) {
                newest.clear();
            }
        }
        assertThat(replayed).as("%s, replay %d", name, replay.number()).isEqualTo(replay.seqs(name));
    }

    /** A dead letter that was retried and handled comes no more, unless a crash comes between. */
    void lettersAreRecoveredOnce() {
        for (Stint stint : performance.stints()) {
            assertThat(stint.handled()
                            .filter(attempt -> attempt.replay() == 0 && isDeadly(attempt))
                            .map(Attempt::seq))
                    .as(name)
                    .doesNotHaveDuplicates();
        }
    }

    /** No push is replayed before it has come on its ordinary way. */
    void replaysOvertakeNothing() {
        Set<Long> settled = new TreeSet<>();
        for (Stint stint : performance.stints()) {
            for (Attempt attempt : stint.attempts()) {
                if (attempt.replay() > 0) {
                    assertThat(settled).as(name).contains(attempt.seq());
                } else if (attempt.done() || isDeadly(attempt)) {
                    settled.add(attempt.seq());
                }
            }
        }
    }

    /** What was retried last, when nothing else was left to do. */
    void lastStintIsInOrder() {
        Map<String, Long> newest = new HashMap<>();
        performance.current().handled().forEach(attempt -> mustGrow(newest, attempt.seq()));
    }
}
