package dev.holdfast.management;

import dev.holdfast.build.BuildInfo;
import dev.holdfast.journal.DiskState;
import dev.holdfast.journal.Journal;
import dev.holdfast.metrics.EndpointTraffic;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The gateway as a whole.
 *
 * <ul>
 *   <li>{@code GET /api/v1/overview}: whether all is well, and the last minutes in figures
 *   <li>{@code GET /api/v1/gateway}: what runs, since when, whether it is ready, its disk, its journal and its configuration
 *   <li>{@code GET /api/v1/endpoints}: each endpoint, and what came in there since the start
 * </ul>
 */
public final class GatewayApi implements ApiPart {
    private final Instant upSince = Instant.now();
    private final List<Condition> conditions;
    private final OperatorNotices notices;
    private final Journal journal;
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
    public GatewayApi(
            List<Condition> conditions,
            OperatorNotices notices,
            Journal journal,
            GatewayControl gateway,
            TrafficControl traffic,
            TrafficHistory history,
            Supplier<Future<JsonArray>> consumers,
            @Nullable TokenControl token) {
        this.conditions = List.copyOf(conditions);
        this.notices = notices;
        this.journal = journal;
        this.gateway = gateway;
        this.traffic = traffic;
        this.history = history;
        this.consumers = consumers;
        this.token = token;
    }

    @Override
    public void addTo(ApiRoutes routes) {
        routes.get("/overview", this::overview);
        routes.get("/gateway", none -> none.blocking(this::gateway));
        routes.get(
                "/endpoints",
                none -> none.blocking(() -> new JsonObject()
                        .put("endpoints", ApiJson.array(traffic.endpoints().get(), GatewayApi::show))));
    }

    private Future<JsonObject> overview(RequestValues none) {
        Future<JsonArray> allConsumers = consumers.get();
        Future<JsonObject> itsToken =
                token == null ? Future.succeededFuture() : token.status().get();
        return Future.join(allConsumers, itsToken)
                .compose(both -> none.blocking(() -> overview(allConsumers.result(), itsToken.result())));
    }

    private JsonObject overview(JsonArray allConsumers, @Nullable JsonObject itsToken) {
        DiskState disk = traffic.disk().get();
        long deadLetters = allConsumers.stream()
                .mapToLong(consumer -> ((JsonObject) consumer).getLong("deadLetters"))
                .sum();
        Condition.States states = Condition.States.of(conditions);
        ProblemList problems = new ProblemList();
        GatewayProblems ofGateway = new GatewayProblems(problems);
        ofGateway.conditions(states.holds());
        ofGateway.notices(notices, disk);
        ofGateway.reload(gateway.lastReload().get());
        ConsumerProblems ofConsumers = new ConsumerProblems(problems);
        allConsumers.forEach(consumer -> ofConsumers.add((JsonObject) consumer));
        ofGateway.token(itsToken);
        ofConsumers.deadLetters(deadLetters);
        JsonObject rates = history.rates();
        JsonObject shown = new JsonObject()
                .put("at", Instant.now().toString())
                .put("version", BuildInfo.ofProcess().version())
                .put("upSince", upSince.toString())
                .put("ready", states.ready())
                .put("summary", problems.summary(states.ready(), rates.getDouble("accepted")))
                .put("problems", problems.show())
                .put("totals", show(traffic.totals().get()))
                .put("rates", rates)
                .put("latency", history.latency())
                .put("disk", ApiJson.of(disk))
                .put("consumers", allConsumers)
                .put("deadLetters", deadLetters)
                .put("quarantine", traffic.quarantined().getAsLong())
                .put("token", itsToken)
                .put("history", history.show());
        return ApiJson.present(shown);
    }

    private static JsonObject show(EndpointTraffic traffic) {
        return new JsonObject()
                .put("accepted", traffic.accepted())
                .put("duplicates", traffic.duplicates())
                .put("refused", new JsonObject(new TreeMap<>(traffic.refused())));
    }

    private JsonObject gateway() {
        BuildInfo build = BuildInfo.ofProcess();
        Condition.States states = Condition.States.of(conditions);
        return new JsonObject()
                .put("version", build.version())
                .put("commit", build.commit())
                .put("java", Runtime.version().toString())
                .put("upSince", upSince.toString())
                .put(
                        "ports",
                        new JsonObject()
                                .put("receiver", gateway.receiverPort().getAsInt())
                                .put("management", gateway.managementPort().getAsInt()))
                .put("ready", states.ready())
                .put(
                        "conditions",
                        ApiJson.array(
                                conditions,
                                condition -> new JsonObject()
                                        .put("name", condition.name())
                                        .put("required", condition.required())
                                        .put("holds", states.holds().get(condition.name()))))
                .put("notices", new JsonArray(notices.all()))
                .put("disk", ApiJson.of(traffic.disk().get()))
                .put(
                        "journal",
                        new JsonObject()
                                .put("firstSeq", journal.firstSeq())
                                .put("lastSeq", journal.lastSeq())
                                .put("size", journal.size()))
                .put("configuration", configuration());
    }

    private JsonObject configuration() {
        LastReload reload = gateway.lastReload().get();
        JsonObject last = reload == null
                ? null
                : new JsonObject()
                        .put("at", reload.at().toString())
                        .put("accepted", reload.accepted())
                        .put("problems", new JsonArray(reload.problems()))
                        .put("needsRestart", new JsonArray(reload.needsRestart()));
        return ApiJson.present(
                new JsonObject().put("effective", gateway.configuration().get()).put("reload", last));
    }

    private static JsonObject show(EndpointState endpoint) {
        return ApiJson.present(new JsonObject()
                .put("name", endpoint.name())
                .put("path", endpoint.path())
                .put("signatureHeader", endpoint.signatureHeader())
                .put("secrets", endpoint.secrets())
                .mergeIn(show(endpoint.traffic()))
                .put(
                        "lastAcceptedAt",
                        ApiJson.timeUnlessNever(endpoint.traffic().lastAcceptedAt())));
    }
}
