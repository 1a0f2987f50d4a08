package dev.holdfast.delivery;

import dev.holdfast.journal.Backlogs.Backlog;
import dev.holdfast.journal.Journal;
import dev.holdfast.logging.Counted;
import dev.holdfast.push.PushFilter;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.LedgerCause;
import dev.holdfast.store.Replay;
import dev.holdfast.store.ReplayState;
import dev.holdfast.store.TooManyReplaysException;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replays on their way. Changed on the delivery's event loop; public methods may be called from any thread. */
public final class RunningReplays {
    private static final Logger LOG = LoggerFactory.getLogger(RunningReplays.class);
    /** Each has lanes of its own, for each consumer. */
    static final int MOST = 8;

    private static final int SHOWN_AFTERWARDS = 20;

    /** In the order in which they began; those that end too, until that is durable. */
    private final List<RunningReplay> running = new CopyOnWriteArrayList<>();

    private final Deque<ReplayState> ended = new ArrayDeque<>();
    private final DeliveryContext delivery;
    private final ConfiguredConsumers configured;
    /** How many are being begun, and not durable yet. */
    private int beginning;

    RunningReplays(DeliveryContext delivery, ConfiguredConsumers configured) {
        this.delivery = delivery;
        this.configured = configured;
    }

    /** Goes on with those that were on their way at the last stop. */
    Future<Void> resume() {
        return delivery.reading(delivery.store().replays()::all).map(kept -> {
            kept.forEach(replay -> {
                LOG.info("{} goes on", RunningReplay.titled(replay));
                begin(replay);
            });
            return null;
        });
    }

    private Optional<RunningReplay> find(String id) {
        return running.stream().filter(replay -> replay.id().equals(id)).findFirst();
    }

    /**
     * Begins to deliver the pushes again that match and are in the journal now, beside those that come in; in each lane in
     * the order of their positions, and each once its lane has done it as it came in. Goes on after a restart; some
     * that were under way then come once more.
     *
     * @param consumers to whom. One that isn't running has its part when it is; one that is not configured is left out
     * @param rate pushes a second at most, for each consumer
     * @return the replay, durable; fails with a {@link TooManyReplaysException} when too many replays are on their way
     */
    public Future<Replay> start(PushFilter filter, Collection<String> consumers, int rate) {
        return start(Replay.Source.JOURNAL, filter, consumers, rate);
    }

    /**
     * The same with the dead letters of some consumers, as fast as it goes. A letter stays one until it was handled.
     *
     * @param filter whose consumer doesn't count
     */
    public Future<Replay> retry(DeadLetterFilter filter, Collection<String> consumers) {
        PushFilter wanted = new PushFilter(filter.from(), filter.to(), null, filter.event(), 0, Long.MAX_VALUE);
        return start(Replay.Source.DEAD_LETTERS, wanted, consumers, Integer.MAX_VALUE);
    }

    private Future<Replay> start(Replay.Source source, PushFilter wanted, Collection<String> consumers, int rate) {
        Journal journal = delivery.journal();
        PushFilter filter = wanted.upTo(journal.lastSeq());
        long from = source == Replay.Source.JOURNAL ? Math.max(filter.from(), journal.firstSeq()) : filter.from();
        List<Replay.Progress> progress = new TreeSet<>(consumers)
                .stream()
                        .map(name -> new Replay.Progress(name, Math.max(1, from), 0, 0))
                        .toList();
        String id = UUID.randomUUID().toString().substring(0, 8);
        Replay replay = new Replay(id, source, filter, rate, progress);
        return delivery.onContext(() -> {
            if (running.size() + beginning >= MOST) {
                return Future.failedFuture(new TooManyReplaysException(MOST));
            }
            beginning++;
            return delivery.durable(delivery.store().replays().save(replay))
                    .andThen((added, failure) -> beginning--)
                    .map(v -> {
                        announce(replay);
                        begin(replay);
                        return replay;
                    });
        });
    }

    private static void announce(Replay replay) {
        int rate = replay.rate();
        LOG.info(
                "{} begins: {} to {}, {}, for {}",
                RunningReplay.titled(replay),
                replay.filter().from(),
                replay.filter().to(),
                rate == Integer.MAX_VALUE ? "as fast as it goes" : "at most " + rate + " a second",
                replay.progress().stream().map(Replay.Progress::consumer).toList());
    }

    private void begin(Replay replay) {
        running.add(new RunningReplay(replay, delivery, configured));
    }

    /** Ends a replay; false when there is none of that id on its way. */
    public Future<Boolean> stop(String id) {
        return delivery.onContext(() -> find(id).map(replay -> end(replay, ReplayState.Stage.STOPPED))
                .orElseGet(() -> Future.succeededFuture(false)));
    }

    /** False when it has been ended meanwhile. */
    private Future<Boolean> end(RunningReplay replay, ReplayState.Stage stage) {
        return replay.end().map(v -> {
            boolean isFirst = running.remove(replay);
            if (isFirst) {
                ended(replay.progress(), stage);
            }
            return isFirst;
        });
    }

    private void ended(Replay replay, ReplayState.Stage stage) {
        ended.addLast(new ReplayState(replay, stage, List.of()));
        if (ended.size() > SHOWN_AFTERWARDS) {
            ended.removeFirst();
        }
        LOG.info(
                "{} is {}: {} handled, {}",
                RunningReplay.titled(replay),
                stage == ReplayState.Stage.DONE ? "done" : "stopped",
                replay.progress().stream().mapToLong(Replay.Progress::delivered).sum(),
                Counted.of(
                        replay.progress().stream()
                                .mapToLong(Replay.Progress::failed)
                                .sum(),
                        "dead letter"));
    }

    /** Those on their way, and the last ones that no longer are. */
    public Future<List<ReplayState>> states() {
        return delivery.onContext(() -> {
            List<ReplayState> states = new ArrayList<>(ended);
            running.forEach(replay -> {
                List<String> awaited = replay.awaited();
                ReplayState.Stage stage = awaited.isEmpty() ? ReplayState.Stage.RUNNING : ReplayState.Stage.WAITING;
                states.add(new ReplayState(replay.progress(), stage, awaited));
            });
            return Future.succeededFuture(states);
        });
    }

    void tick() {
        for (RunningReplay replay : running) {
            replay.tick();
            if (!replay.isStopped() && replay.isDone()) {
                var unused = end(replay, replay.leavesOut() ? ReplayState.Stage.STOPPED : ReplayState.Stage.DONE);
            }
        }
    }

    /** Keeps how far each has come: the end. */
    Future<Void> finish() {
        return delivery.onContext(
                () -> Future.join(running.stream().map(RunningReplay::finish).toList())
                        .mapEmpty());
    }

    /** What those that deliver pushes of the journal have not come to. Any thread. */
    List<Backlog> backlogs() {
        return running.stream()
                .map(RunningReplay::backlog)
                .filter(backlog -> backlog.from() < Long.MAX_VALUE)
                .toList();
    }

    /** Ends those that still need pushes below a position, and counts what they don't come to any more of these. */
    Future<Void> giveUp(long below) {
        return delivery.onContext(() -> Future.join(running.stream()
                        .filter(replay ->
                                !replay.isStopped() && replay.durable().neededFrom() < below)
                        .map(replay -> {
                            Replay durable = replay.durable();
                            return end(replay, ReplayState.Stage.STOPPED).compose(ended -> gaveUp(durable, below));
                        })
                        .toList())
                .mapEmpty());
    }

    private Future<Void> gaveUp(Replay replay, long below) {
        LOG.error(
                "{} is ended, the disk is full: pushes before {} are given up, what is left of it can be begun again",
                RunningReplay.titled(replay),
                below);
        return delivery.givingUp(() -> {
            for (Replay.Progress one : replay.progress()) {
                Predicate<String> wants = configured.wants().getOrDefault(one.consumer(), event -> true);
                new GivenUp(delivery, LedgerCause.REPLAY_GIVEN_UP, one.consumer())
                        .count(
                                one.next(),
                                below - 1,
                                push -> replay.filter().matches(push)
                                        && wants.test(push.envelope().event()));
            }
            return null;
        });
    }
}
