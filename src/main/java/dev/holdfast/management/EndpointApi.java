package dev.holdfast.management;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.TreeMap;

/** {@code GET /api/v1/endpoints}: each endpoint, and what came in there since the start. */
public final class EndpointApi implements ApiPart {
    private final TrafficControl traffic;

    public EndpointApi(TrafficControl traffic) {
        this.traffic = traffic;
    }

    @Override
    public void addTo(Router router) {
        router.get("/endpoints").handler(ctx -> ApiAnswers.answer(ctx, this::list));
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        RequestValues.ofNothing(ctx);
        return ctx.vertx()
                .executeBlocking(
                        () -> new JsonObject()
                                .put(
                                        "endpoints",
                                        new JsonArray(traffic.endpoints().stream()
                                                .map(EndpointApi::show)
                                                .toList())),
                        false);
    }

    private static JsonObject show(EndpointState endpoint) {
        JsonObject shown = new JsonObject()
                .put("name", endpoint.name())
                .put("path", endpoint.path())
                .put("signatureHeader", endpoint.signatureHeader())
                .put("secrets", endpoint.secrets())
                .put("accepted", endpoint.accepted())
                .put("duplicates", endpoint.duplicates())
                .put("refused", new JsonObject(new TreeMap<>(endpoint.refused())));
        return endpoint.lastAcceptedAt() == 0
                ? shown
                : shown.put(
                        "lastAcceptedAt",
                        Instant.ofEpochMilli(endpoint.lastAcceptedAt()).toString());
    }
}
