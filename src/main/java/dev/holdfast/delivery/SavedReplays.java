package dev.holdfast.delivery;

import dev.holdfast.journal.Backlogs.Backlog;
import dev.holdfast.store.Replay;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** What is durable of each replay that is on its way. Changed on the delivery's event loop, read by any thread. */
final class SavedReplays {
    private final Map<String, Replay> saved = new ConcurrentHashMap<>();
    private final DeliveryContext delivery;
    private final ConfiguredConsumers consumers;

    SavedReplays(DeliveryContext delivery, ConfiguredConsumers consumers) {
        this.delivery = delivery;
        this.consumers = consumers;
    }

    /** Those that the last stop interrupted. */
    Future<List<Replay>> load() {
        return delivery.reading(delivery.store().replays()::all).map(kept -> {
            kept.forEach(replay -> saved.put(replay.id(), replay));
            return kept;
        });
    }

    /** A new one. */
    Future<Void> add(Replay replay) {
        return stored(delivery.store().replays().save(replay), () -> saved.put(replay.id(), replay));
    }

    /** How far one has come, unless that is what was saved last. */
    Future<Void> save(Replay now) {
        if (now.equals(saved.get(now.id()))) {
            return Future.succeededFuture();
        }
        return stored(
                delivery.store().replays().save(now), () -> saved.computeIfPresent(now.id(), (id, before) -> now));
    }

    /** It is no longer on its way. */
    Future<Void> remove(String id) {
        return stored(delivery.store().replays().remove(id), () -> saved.remove(id));
    }

    private Future<Void> stored(CompletionStage<Void> written, Runnable then) {
        return delivery.durable(written).map(v -> {
            then.run();
            return null;
        });
    }

    /** Those that need pushes of the journal below a position. */
    List<Replay> behind(long below) {
        return saved.values().stream()
                .filter(replay -> replay.neededFrom() < below)
                .toList();
    }

    /** What those that deliver pushes of the journal have not come to. */
    List<Backlog> backlogs() {
        return behind(Long.MAX_VALUE).stream()
                .map(replay -> new Backlog(titled(replay), replay.neededFrom(), hold(replay)))
                .toList();
    }

    private Duration hold(Replay replay) {
        return replay.progress().stream()
                .filter(one -> !replay.isDone(one))
                .map(one -> consumers.hold(one.consumer()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** As people call it. */
    static String titled(Replay replay) {
        return (replay.source() == Replay.Source.JOURNAL ? "replay " : "retry ") + replay.id();
    }
}
