package dev.holdfast.management;

import dev.holdfast.consumer.ConsumerState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
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
    public void addTo(Router router) {
        router.get("/api/consumers")
                .handler(ctx -> ApiAnswers.answer(ctx, request -> states.get().map(ConsumerApi::show)));
    }

    private static JsonObject show(List<ConsumerState> states) {
        JsonArray shown = new JsonArray();
        List<ConsumerState> byName = states.stream()
                .sorted(Comparator.comparing(ConsumerState::name))
                .toList();
        for (ConsumerState state : byName) {
            shown.add(new JsonObject()
                    .put("name", state.name())
                    .put("handled", state.handled())
                    .put("lag", state.lag())
                    .put("slowed", state.slowed())
                    .put("lanesBehind", state.lanesBehind())
                    .put("lanesResting", state.lanesResting()));
        }
        return new JsonObject().put("consumers", shown);
    }
}
