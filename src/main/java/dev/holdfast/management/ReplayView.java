package dev.holdfast.management;

import dev.holdfast.journal.Replay;
import dev.holdfast.journal.ReplayState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
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
        replay.legs().forEach(leg -> consumers.add(leg(replay, leg)));
        JsonObject shown = new JsonObject()
                .put("id", replay.id())
                .put("of", replay.source() == Replay.Source.JOURNAL ? "pushes" : "dead-letters")
                .put("state", state.stage().name().toLowerCase(Locale.ROOT))
                .put("from", replay.filter().from())
                .put("to", replay.filter().to())
                .put(
                        "delivered",
                        replay.legs().stream().mapToLong(Replay.Leg::delivered).sum())
                .put(
                        "failed",
                        replay.legs().stream().mapToLong(Replay.Leg::failed).sum())
                .put("consumers", consumers);
        if (replay.source() == Replay.Source.JOURNAL) {
            shown.put("rate", replay.rate());
        }
        return state.awaited().isEmpty() ? shown : shown.put("awaited", new JsonArray(state.awaited()));
    }

    private static JsonObject leg(Replay replay, Replay.Leg leg) {
        return new JsonObject()
                .put("name", leg.consumer())
                .put("next", leg.progress().neededFrom())
                .put("lanesBehind", leg.progress().behind().size())
                .put("done", replay.isDone(leg))
                .put("delivered", leg.delivered())
                .put("failed", leg.failed());
    }
}
