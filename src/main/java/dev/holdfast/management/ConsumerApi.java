package dev.holdfast.management;

import dev.holdfast.consumer.ConsumerState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * How it stands with the consumers that are configured, or that something is kept of.
 *
 * <ul>
 *   <li>{@code GET /api/v1/consumers}: all, by name
 *   <li>{@code GET /api/v1/consumers/NAME}: one, with its blocked lanes and the push that blocks each
 *   <li>{@code POST /api/v1/consumers/NAME/pause} and {@code /resume}, with an empty JSON object
 * </ul>
 */
public final class ConsumerApi implements ApiPart {
    private final DeliveryControl delivery;
    private final Supplier<Map<String, String>> away;
    private final AuditTrail audit;

    /** @param away those that are configured and don't run, and why; empty: they are still starting */
    public ConsumerApi(DeliveryControl delivery, Supplier<Map<String, String>> away, AuditTrail audit) {
        this.delivery = delivery;
        this.away = away;
        this.audit = audit;
    }

    @Override
    public void addTo(Router router) {
        BodyHandler body = ApiAnswers.bodies();
        router.get("/consumers").handler(ctx -> ApiAnswers.answer(ctx, this::list));
        router.get("/consumers/:name").handler(ctx -> ApiAnswers.answer(ctx, this::get));
        router.post("/consumers/:name/pause")
                .handler(body)
                .handler(ctx -> ApiAnswers.answer(ctx, request -> change(request, "consumers.pause", delivery::pause)));
        router.post("/consumers/:name/resume")
                .handler(body)
                .handler(ctx ->
                        ApiAnswers.answer(ctx, request -> change(request, "consumers.resume", delivery::resume)));
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        RequestValues.ofNothing(ctx);
        return entries().map(entries -> new JsonObject().put("consumers", entries));
    }

    /** All of them, by name. */
    public Future<JsonArray> entries() {
        Map<String, String> absent = away.get();
        return delivery.states()
                .map(states -> new JsonArray(states.stream()
                        .map(state -> ConsumerJson.of(state, absent.get(state.name())))
                        .toList()));
    }

    private Future<JsonObject> get(RoutingContext ctx) {
        RequestValues.ofNothing(ctx);
        String name = ctx.pathParam("name");
        return one(name)
                .compose(shown -> delivery.lanes(name)
                        .map(lanes -> shown.put(
                                        "lanes",
                                        new JsonArray(lanes.lanes().stream()
                                                .map(ConsumerJson::of)
                                                .toList()))
                                .put("more", lanes.more())));
    }

    private Future<JsonObject> change(RoutingContext ctx, String action, Function<String, Future<Boolean>> change) {
        RequestValues.ofBody(ctx, List.of());
        String name = ctx.pathParam("name");
        return change.apply(name).compose(known -> {
            if (!known) {
                throw new ApiAnswers.NotFound("found no consumer " + name + " in the configuration");
            }
            audit.record(ctx, action, RequestValues.shown(name), null, null);
            return one(name);
        });
    }

    private Future<JsonObject> one(String name) {
        return delivery.states()
                .map(states -> states.stream()
                        .filter(state -> state.name().equals(name))
                        .findFirst()
                        .map(state -> ConsumerJson.of(state, away.get().get(name)))
                        .orElseThrow(() -> new ApiAnswers.NotFound("found no consumer " + name + ", "
                                + (states.isEmpty()
                                        ? "and none is configured"
                                        : "expected one of "
                                                + states.stream()
                                                        .map(ConsumerState::name)
                                                        .toList()))));
    }
}
