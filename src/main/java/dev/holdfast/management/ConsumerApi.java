package dev.holdfast.management;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.consumer.LastFailure;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** {@code GET /api/v1/consumers}: how it stands with each that is configured, by name. */
public final class ConsumerApi implements ApiPart {
    private final Supplier<Future<List<ConsumerState>>> states;
    private final Supplier<Map<String, String>> away;

    /**
     * @param states of those that run
     * @param away those that are configured and don't run, and why
     */
    public ConsumerApi(Supplier<Future<List<ConsumerState>>> states, Supplier<Map<String, String>> away) {
        this.states = states;
        this.away = away;
    }

    @Override
    public void addTo(Router router) {
        router.get("/consumers").handler(ctx -> ApiAnswers.answer(ctx, this::list));
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        RequestValues.ofNothing(ctx);
        return entries().map(entries -> new JsonObject().put("consumers", entries));
    }

    /** All of them, by name. */
    public Future<JsonArray> entries() {
        return states.get().map(this::show);
    }

    private JsonArray show(List<ConsumerState> states) {
        SortedMap<String, JsonObject> byName = new TreeMap<>();
        away.get().forEach((name, reason) -> byName.put(name, away(name, reason)));
        states.forEach(state -> byName.put(state.name(), show(state)));
        return new JsonArray(List.copyOf(byName.values()));
    }

    private static JsonObject show(ConsumerState state) {
        JsonObject shown = new JsonObject()
                .put("name", state.name())
                .put("running", true)
                .put("handled", state.handled())
                .put("lag", state.lag())
                .put("slowed", state.slowed())
                .put("lanesBlocked", state.lanesBlocked())
                .put("lanesBackingOff", state.lanesBackingOff());
        LastFailure failure = state.lastFailure();
        return failure == null ? shown : shown.put("lastFailure", show(failure));
    }

    private static JsonObject away(String name, String reason) {
        return new JsonObject().put("name", name).put("running", false).put("because", reason);
    }

    private static JsonObject show(LastFailure failure) {
        return new JsonObject()
                .put("at", Instant.ofEpochMilli(failure.at()).toString())
                .put("seq", failure.seq())
                .put("error", failure.error());
    }
}
