package dev.holdfast.management;

import dev.holdfast.push.PushFilter;
import dev.holdfast.store.Replay;
import dev.holdfast.store.ReplayState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Replays as the API shows them: as a whole, and for each consumer. */
final class ReplayView {
    private ReplayView() {}

    /** One that has just begun. */
    static JsonObject of(Replay replay) {
        return of(new ReplayState(replay, ReplayState.Stage.RUNNING, List.of()));
    }

    static JsonObject of(ReplayState state) {
        Replay replay = state.replay();
        JsonArray consumers = new JsonArray();
        replay.progress().forEach(progress -> consumers.add(progress(replay, progress)));
        JsonObject shown = new JsonObject()
                .put("id", replay.id())
                .put("of", replay.source() == Replay.Source.JOURNAL ? "pushes" : "dead-letters")
                .put("state", state.stage().name().toLowerCase(Locale.ROOT))
                .put("from", replay.filter().from())
                .put("to", replay.filter().to())
                .put(
                        "delivered",
                        replay.progress().stream()
                                .mapToLong(Replay.Progress::delivered)
                                .sum())
                .put(
                        "failed",
                        replay.progress().stream()
                                .mapToLong(Replay.Progress::failed)
                                .sum())
                .put("consumers", consumers);
        if (replay.source() == Replay.Source.JOURNAL) {
            shown.put("rate", replay.rate());
        }
        narrowed(replay.filter(), shown);
        return state.awaited().isEmpty() ? shown : shown.put("awaited", new JsonArray(state.awaited()));
    }

    /** What was asked for beside positions, under the names it was asked by; {@code id} is the replay's own. */
    private static void narrowed(PushFilter filter, JsonObject shown) {
        if (filter.event() != null) {
            shown.put("event", filter.event());
        }
        if (filter.enterprise() != null) {
            shown.put("enterprise", filter.enterprise());
        }
        if (filter.endpoint() != null) {
            shown.put("endpoint", filter.endpoint());
        }
        if (filter.id() != null) {
            shown.put("pushId", filter.id());
        }
        if (filter.since() != PushFilter.ALL.since()) {
            shown.put("since", Instant.ofEpochMilli(filter.since()).toString());
        }
        if (filter.until() != PushFilter.ALL.until()) {
            shown.put("until", Instant.ofEpochMilli(filter.until()).toString());
        }
    }

    private static JsonObject progress(Replay replay, Replay.Progress progress) {
        return new JsonObject()
                .put("name", progress.consumer())
                .put("next", progress.next())
                .put("done", replay.isDone(progress))
                .put("delivered", progress.delivered())
                .put("failed", progress.failed());
    }
}
