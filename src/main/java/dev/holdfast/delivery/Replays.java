package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.PushFilter;
import dev.holdfast.journal.Replay;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The replays on their way. Changed on the delivery's event loop; public methods may be called from any thread. */
public final class Replays {
    private final Map<String, RunningReplay> running = new ConcurrentHashMap<>();
    private final Map<String, Replay> shown = new ConcurrentHashMap<>();
    private final Parts parts;
    private final Subscriptions subscriptions;
    private long lastTick = System.nanoTime();

    Replays(Parts parts, Subscriptions subscriptions) {
        this.parts = parts;
        this.subscriptions = subscriptions;
    }

    /** Begins again what the last stop interrupted. */
    Future<Void> goOn() {
        return parts.reader()
                .executeBlocking(parts.journal()::replays, false)
                .onSuccess(kept -> kept.forEach(this::begin))
                .mapEmpty();
    }

    /**
     * Begins to deliver the pushes again that match and are in the journal now, beside those that come in. In each lane they
     * come in the order of their positions, and before what waits there on its ordinary way. Goes on after a restart; some
     * that were under way then come once more.
     *
     * @param consumer to whom; null: to all there are
     * @param rate pushes a second at most
     * @return the replay, durable; fails with an {@link IllegalArgumentException} when there is no such consumer
     */
    public Future<Replay> start(PushFilter wanted, @Nullable String consumer, int rate) {
        Set<String> known = subscriptions.names();
        Set<String> consumers = consumer == null ? known : Set.of(consumer);
        if (consumers.isEmpty() || !known.containsAll(consumers)) {
            return Future.failedFuture(
                    new IllegalArgumentException("consumer: found " + (consumer == null ? "none" : consumer)
                            + ", expected one that is running: " + new TreeSet<>(known)));
        }
        Journal journal = parts.journal();
        PushFilter filter = wanted.upTo(journal.lastSeq());
        String id = UUID.randomUUID().toString().substring(0, 8);
        long from = Math.max(filter.from(), journal.firstSeq());
        Replay replay = new Replay(id, List.copyOf(new TreeSet<>(consumers)), filter, rate, from, 0, 0);
        return Future.fromCompletionStage(journal.saveReplay(replay), parts.context())
                .onSuccess(v -> begin(replay))
                .map(replay);
    }

    /** Ends a replay; false when there is none of that id. */
    public Future<Boolean> stop(String id) {
        Promise<Boolean> found = Promise.promise();
        parts.context().runOnContext(v -> found.complete(end(id)));
        return found.future()
                .compose(was -> Future.fromCompletionStage(parts.journal().removeReplay(id), parts.context())
                        .map(was));
    }

    /** Keeps how far each has come, with nothing under way any more. */
    Future<Void> finish() {
        return Future.join(running.values().stream().map(RunningReplay::save).toList())
                .mapEmpty();
    }

    /** Those on their way, each as far as it has come. */
    public List<Replay> progress() {
        return new ArrayList<>(shown.values());
    }

    private void begin(Replay replay) {
        shown.put(replay.id(), replay);
        running.put(replay.id(), new RunningReplay(replay, parts, subscriptions));
    }

    /** Whether there was one. */
    private boolean end(String id) {
        RunningReplay replay = running.remove(id);
        shown.remove(id);
        if (replay == null) {
            return false;
        }
        replay.end();
        return true;
    }

    void tick() {
        long now = System.nanoTime();
        double seconds = (now - lastTick) / 1e9;
        lastTick = now;
        for (Map.Entry<String, RunningReplay> entry : running.entrySet()) {
            RunningReplay replay = entry.getValue();
            replay.tick(seconds);
            shown.put(entry.getKey(), replay.progress());
            if (replay.hasEnded()) {
                end(entry.getKey());
            }
        }
    }

    /** The lowest position that one of them still needs. */
    long neededFrom() {
        return shown.values().stream().mapToLong(Replay::next).min().orElse(Long.MAX_VALUE);
    }
}
