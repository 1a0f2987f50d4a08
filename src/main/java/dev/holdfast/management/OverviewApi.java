package dev.holdfast.management;

import dev.holdfast.build.BuildInfo;
import dev.holdfast.journal.DiskState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/v1/overview}: whether all is well, and the last minutes in figures. */
public final class OverviewApi implements ApiPart {
    private final Instant upSince;
    private final List<Condition> conditions;
    private final OperatorNotices notices;
    private final GatewayControl gateway;
    private final TrafficControl traffic;
    private final TrafficHistory history;
    private final Supplier<Future<JsonArray>> consumers;
    private final @Nullable TokenControl token;

    /**
     * Makes it for a gateway that starts.
     *
     * @param consumers as the API shows them
     * @param token null: the configuration has none
     */
    public OverviewApi(
            Instant upSince,
            List<Condition> conditions,
            OperatorNotices notices,
            GatewayControl gateway,
            TrafficControl traffic,
            TrafficHistory history,
            Supplier<Future<JsonArray>> consumers,
            @Nullable TokenControl token) {
        this.upSince = upSince;
        this.conditions = List.copyOf(conditions);
        this.notices = notices;
        this.gateway = gateway;
        this.traffic = traffic;
        this.history = history;
        this.consumers = consumers;
        this.token = token;
    }

    @Override
    public void addTo(Router router) {
        router.get("/overview").handler(ctx -> ApiAnswers.answer(ctx, this::show));
    }

    private Future<JsonObject> show(RoutingContext ctx) {
        RequestValues.ofNothing(ctx);
        Future<JsonArray> allConsumers = consumers.get();
        Future<JsonObject> itsToken =
                token == null ? Future.succeededFuture() : token.status().get();
        return Future.join(allConsumers, itsToken)
                .compose(both ->
                        ctx.vertx().executeBlocking(() -> shown(allConsumers.result(), itsToken.result()), false));
    }

    private JsonObject shown(JsonArray allConsumers, @Nullable JsonObject itsToken) {
        DiskState disk = traffic.disk();
        long deadLetters = allConsumers.stream()
                .mapToLong(consumer -> ((JsonObject) consumer).getLong("deadLetters"))
                .sum();
        ConditionStates states = ConditionStates.of(conditions);
        GatewayProblems problems = new GatewayProblems();
        problems.conditions(states.holds());
        problems.notices(notices, disk);
        problems.reload(gateway.lastReload());
        allConsumers.forEach(consumer -> problems.consumer((JsonObject) consumer));
        problems.token(itsToken);
        problems.deadLetters(deadLetters);
        JsonObject rates = history.rates();
        JsonObject shown = new JsonObject()
                .put("at", Instant.now().toString())
                .put("version", BuildInfo.ofProcess().version())
                .put("upSince", upSince.toString())
                .put("ready", states.ready())
                .put("summary", problems.summary(states.ready(), rates.getDouble("accepted")))
                .put("problems", problems.show())
                .put("totals", totals())
                .put("rates", rates)
                .put("latency", history.latency())
                .put("disk", DiskView.of(disk))
                .put("consumers", allConsumers)
                .put("deadLetters", deadLetters)
                .put("quarantine", traffic.quarantined());
        if (itsToken != null) {
            shown.put("token", itsToken);
        }
        return shown.put("history", history.show());
    }

    private JsonObject totals() {
        List<EndpointState> endpoints = traffic.endpoints();
        Map<String, Long> refused = new TreeMap<>(traffic.refusedElsewhere());
        endpoints.forEach(
                endpoint -> endpoint.refused().forEach((cause, count) -> refused.merge(cause, count, Long::sum)));
        return new JsonObject()
                .put(
                        "accepted",
                        endpoints.stream().mapToLong(EndpointState::accepted).sum())
                .put(
                        "duplicates",
                        endpoints.stream().mapToLong(EndpointState::duplicates).sum())
                .put("refused", new JsonObject(new TreeMap<>(refused)));
    }
}
