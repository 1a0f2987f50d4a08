package dev.holdfast.management;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.consumer.LastFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** {@code GET /api/consumers}: how it stands with each, by name. */
public final class ConsumerApi implements ApiPart {
    private final Supplier<Future<List<ConsumerState>>> states;

    public ConsumerApi(Supplier<Future<List<ConsumerState>>> states) {
        this.states = states;
    }

    @Override
    public Router router(Vertx vertx) {
        Router router = Router.router(vertx);
        router.get("/consumers")
                .handler(ctx -> ApiAnswers.answer(ctx, request -> states.get().map(ConsumerApi::show)));
        return router;
    }

    private static JsonObject show(List<ConsumerState> states) {
        JsonArray shown = new JsonArray();
        List<ConsumerState> byName = states.stream()
                .sorted(Comparator.comparing(ConsumerState::name))
                .toList();
        for (ConsumerState state : byName) {
            JsonObject consumer = new JsonObject()
                    .put("name", state.name())
                    .put("handled", state.handled())
                    .put("lag", state.lag())
                    .put("slowed", state.slowed())
                    .put("lanesBehind", state.lanesBehind())
                    .put("lanesResting", state.lanesResting());
            LastFailure failure = state.lastFailure();
            if (failure != null) {
                consumer.put("lastFailure", show(failure));
            }
            shown.add(consumer);
        }
        return new JsonObject().put("consumers", shown);
    }

    private static JsonObject show(LastFailure failure) {
        return new JsonObject()
                .put("at", Instant.ofEpochMilli(failure.at()).toString())
                .put("seq", failure.seq())
                .put("error", failure.error());
    }
}
