package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.DeadLetterSearch;
import dev.holdfast.store.Replay;
import dev.holdfast.store.ReplayState;
import dev.holdfast.store.ReplayState.Stage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Plays a plan with a real delivery, and compares what came of it with the model. */
final class Play {
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final Path directory;
    private final Limits limits;
    private final List<PlannedPush> pushes;
    private final List<Performance> performances = new ArrayList<>();
    private final List<Model> models = new ArrayList<>();
    private final List<ModelCheck> checks = new ArrayList<>();
    private final List<ReplayRun> replays = new ArrayList<>();
    private Life life;
    private long sent;

    Play(Plan plan, Limits limits, Path directory) {
        this.directory = directory;
        this.limits = limits;
        this.pushes = plan.pushes();
        for (PlannedConsumer consumer : plan.consumers()) {
            Performance performance = new Performance(consumer, pushes);
            Model model = new Model(consumer, pushes);
            performances.add(performance);
            models.add(model);
            checks.add(new ModelCheck(model, performance));
        }
        life = begin();
    }

    private Life begin() {
        performances.forEach(Performance::begin);
        Life begun = new Life(directory, limits, STOP_TIMEOUT, new PushWatcher() {
            @Override
            public void handled(PushRecord push, String consumer) {
                heard(push, consumer, true);
            }

            @Override
            public void failed(PushRecord push, String consumer, int attempts) {
                heard(push, consumer, false);
            }
        });
        BooleanSupplier dead = begun.journal()::isDead;
        for (Performance performance : performances) {
            begun.add(performance.consumer().config(), (push, vertx) -> performance.handle(push, vertx, dead));
        }
        return begun;
    }

    private void heard(PushRecord push, String consumer, boolean done) {
        performances.stream()
                .filter(performance -> performance.consumer().name().equals(consumer))
                .forEach(performance -> performance.current().heard(push.seq(), done));
    }

    void run(List<Step> steps) {
        try {
            steps.forEach(this::take);
            judge();
        } catch (RuntimeException | Error e) {
            life.crash();
            throw e;
        }
        life.stop();
    }

    private void take(Step step) {
        if (step instanceof Step.Send send) {
            send(send.pushes());
        } else if (step instanceof Step.Stop) {
            life.stop();
            life = begin();
        } else if (step instanceof Step.Crash crash) {
            crash(crash.writes());
        } else if (step instanceof Step.Hold) {
            life.journal().holdCursors();
        } else if (step instanceof Step.Retry retry) {
            retry(retry);
        } else if (step instanceof Step.Replay replay) {
            replay(replay);
        } else if (step instanceof Step.Bounce bounce) {
            bounce(performances.get(bounce.consumer() % performances.size()));
        } else {
            life.journal()
                    .removeBelow(Math.min(life.delivery().neededFrom(), sent + 1))
                    .toCompletableFuture()
                    .join();
        }
    }

    private void send(List<PlannedPush> some) {
        List<PushRecord> records = new ArrayList<>();
        for (PlannedPush push : some) {
            records.add(push.record(++sent));
        }
        life.send(records);
        assertThat(life.journal().lastSeq()).isEqualTo(sent);
    }

    private void crash(int writes) {
        life.journal().dieAfter(writes);
        long deadline = System.nanoTime() + MOMENT_NANOS;
        while (!life.journal().isDead() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(100_000);
        }
        life.crash();
        performances.forEach(performance -> performance.current().crash());
        life = begin();
    }

    private void bounce(Performance performance) {
        life.journal().keepAgain();
        life.delivery().consumers().takeOut(performance.consumer().name()).await();
        performance.begin();
        life.deliver(performance.consumer().config());
    }

    /** The one that is meant; null: all. */
    private @Nullable String consumer(int number) {
        return number < 0
                ? null
                : performances.get(number % performances.size()).consumer().name();
    }

    private void retry(Step.Retry step) {
        if (underWay().size() == RunningReplays.MOST) {
            return;
        }
        DeadLetterFilter filter = new DeadLetterFilter(
                consumer(step.consumer()),
                step.event(),
                sent * step.from() / 100,
                sent * step.to() / 100,
                Long.MAX_VALUE);
        List<DeadLetter> letters = new DeadLetterSearch(life.journal().deadLetters())
                .newest(filter, "", Long.MAX_VALUE, Integer.MAX_VALUE, letter -> letter);
        for (int i = 0; i < letters.size(); i += step.each()) {
            DeadLetter letter = letters.get(i);
            performances.stream()
                    .filter(one -> one.consumer().name().equals(letter.consumer()))
                    .forEach(one -> one.mend(letter.push().seq()));
        }
        performances.stream()
                .filter(one -> filter.consumer() == null
                        || filter.consumer().equals(one.consumer().name()))
                .forEach(one -> one.retry(filter));
        life.retry(filter);
    }

    private void replay(Step.Replay step) {
        if (sent == 0 || !running().isEmpty() || underWay().size() == RunningReplays.MOST) {
            return;
        }
        String consumer = consumer(step.consumer());
        PushFilter filter =
                new PushFilter(sent * step.from() / 100, sent * step.to() / 100, null, step.event(), 0, Long.MAX_VALUE);
        Map<String, Set<Long>> seqs = new HashMap<>();
        for (Model model : models) {
            if (consumer == null || consumer.equals(model.consumer().name())) {
                seqs.put(model.consumer().name(), replayed(model, filter));
            }
        }
        replays.add(new ReplayRun(replays.size() + 1, seqs));
        performances.forEach(performance -> performance.replay(replays.size()));
        life.delivery().replays().start(filter, seqs.keySet(), step.rate()).await();
    }

    private Set<Long> replayed(Model model, PushFilter filter) {
        long first = life.journal().firstSeq();
        Set<Long> seqs = new TreeSet<>(model.wanted());
        seqs.removeIf(seq -> seq < first
                || seq > sent
                || !filter.matches(model.push(seq).record(seq).at(seq)));
        return seqs;
    }

    private void judge() {
        life.journal().keepAgain();
        judgeBeforeTheRelease();
        performances.forEach(Performance::release);
        judgeBeforeTheLastRetry();
        performances.forEach(Performance::begin);
        models.forEach(model -> model.dead().forEach(performances.get(models.indexOf(model))::mend));
        life.retryAll();
        judgeTheEnd();
    }

    /** Whatever sticks holds up only its lane. */
    private void judgeBeforeTheRelease() {
        for (int i = 0; i < models.size(); i++) {
            Model model = models.get(i);
            ModelCheck check = checks.get(i);
            eventually(() -> check.nothingIsMissing("lost before what sticks is released", model.free()));
        }
        if (replays.isEmpty() || models.stream().allMatch(model -> isFree(model, replays.get(replays.size() - 1)))) {
            eventually(() -> assertThat(running())
                    .as("a replay waits for nothing but what sticks")
                    .isEmpty());
        }
    }

    private boolean isFree(Model model, ReplayRun replay) {
        return model.free().containsAll(replay.seqs(model.consumer().name()));
    }

    private List<ReplayState> running() {
        return underWay().stream()
                .filter(state -> state.replay().source() == Replay.Source.JOURNAL)
                .toList();
    }

    private List<ReplayState> underWay() {
        return life.delivery().replays().states().await().stream()
                .filter(state -> state.stage() == Stage.RUNNING || state.stage() == Stage.WAITING)
                .toList();
    }

    private void judgeBeforeTheLastRetry() {
        eventually(() -> assertThat(underWay())
                .as("replays and retries under way when nothing sticks")
                .isEmpty());
        // Also what a crash brings again, which nothing else waits for: else it came in the midst of the last retry.
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(sent + 1));
        for (int i = 0; i < models.size(); i++) {
            Model model = models.get(i);
            ModelCheck check = checks.get(i);
            eventually(() -> check.nothingIsMissing("lost", model.wanted()));
            Performance performance = performances.get(i);
            eventually(() -> deadLettersAreAsPlanned(model, performance, check));
            replays.forEach(check::wasReplayed);
            check.replaysOvertakeNothing();
            check.lettersAreRecoveredOnce();
            check.lanesAreInOrder();
            check.littleComesAgain(limits);
            check.attemptsAreNumbered();
        }
    }

    private void deadLettersAreAsPlanned(Model model, Performance performance, ModelCheck check) {
        boolean slowed = check.mayHaveBeenSlowed();
        Set<Long> found = new TreeSet<>();
        for (DeadLetter letter : letters(model.consumer().name())) {
            PlannedPush push = model.push(letter.push().seq());
            // Those of a life that crashed before are forgotten; retries and replays that failed count too.
            assertThat(letter.attempts())
                    .isBetween(
                            model.consumer().fatalAttempts(push),
                            performance.attempts(letter.push().seq()));
            assertThat(letter.push().body()).isEqualTo(push.body(letter.push().seq()));
            found.add(letter.push().seq());
        }
        assertThat(model.dead()).as(model.consumer().name()).containsAll(found);
        Set<Long> unrecovered = new TreeSet<>(model.dead());
        unrecovered.removeIf(performance::isRecovered);
        unrecovered.removeIf(seq -> slowed && check.done().contains(seq));
        assertThat(found).as(model.consumer().name()).containsAll(unrecovered);
    }

    private List<DeadLetter> letters(String consumer) {
        return life.journal().deadLetters().list(consumer, 0, Integer.MAX_VALUE);
    }

    private void judgeTheEnd() {
        for (int i = 0; i < models.size(); i++) {
            Model model = models.get(i);
            ModelCheck check = checks.get(i);
            String name = model.consumer().name();
            eventually(() -> assertThat(letters(name)).as(name).isEmpty());
            assertThat(check.done()).as("%s, in the end", name).isEqualTo(model.wanted());
            check.lastStintIsInOrder();
            check.nothingWasInvented();
            check.fewWereUnderWayAtATime();
        }
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(sent + 1));
    }
}
