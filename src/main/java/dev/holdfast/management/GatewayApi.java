package dev.holdfast.management;

import dev.holdfast.build.BuildInfo;
import dev.holdfast.journal.DiskState;
import dev.holdfast.journal.Journal;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** {@code GET /api/v1/gateway}: what runs, since when, whether it is ready, its disk, its journal and its configuration. */
public final class GatewayApi implements ApiPart {
    private final Instant upSince;
    private final List<Condition> conditions;
    private final Supplier<List<String>> notices;
    private final Journal journal;
    private final Supplier<DiskState> disk;
    private final GatewayControl control;

    /**
     * Makes it for a gateway that starts.
     *
     * @param notices as of {@link ManagementVerticle}
     * @param disk the journal's, asked on a worker thread
     */
    public GatewayApi(
            Instant upSince,
            List<Condition> conditions,
            Supplier<List<String>> notices,
            Journal journal,
            Supplier<DiskState> disk,
            GatewayControl control) {
        this.upSince = upSince;
        this.conditions = List.copyOf(conditions);
        this.notices = notices;
        this.journal = journal;
        this.disk = disk;
        this.control = control;
    }

    @Override
    public void addTo(Router router) {
        router.get("/gateway").handler(ctx -> ApiAnswers.answer(ctx, this::show));
    }

    private Future<JsonObject> show(RoutingContext ctx) {
        RequestValues.ofNothing(ctx);
        return ctx.vertx().executeBlocking(this::shown, false);
    }

    private JsonObject shown() {
        BuildInfo build = BuildInfo.ofProcess();
        JsonObject gateway = new JsonObject()
                .put("version", build.version())
                .put("commit", build.commit())
                .put("java", Runtime.version().toString())
                .put("upSince", upSince.toString())
                .put(
                        "ports",
                        new JsonObject()
                                .put("receiver", control.receiverPort())
                                .put("management", control.managementPort()));
        addReadiness(gateway);
        return gateway.put("disk", DiskView.of(disk.get()))
                .put(
                        "journal",
                        new JsonObject()
                                .put("firstSeq", journal.firstSeq())
                                .put("lastSeq", journal.lastSeq())
                                .put("size", journal.size()))
                .put("configuration", configuration());
    }

    private void addReadiness(JsonObject gateway) {
        ConditionStates states = ConditionStates.of(conditions);
        JsonArray shown = new JsonArray();
        for (Condition condition : conditions) {
            shown.add(new JsonObject()
                    .put("name", condition.name())
                    .put("required", condition.required())
                    .put("holds", states.holds().get(condition.name())));
        }
        gateway.put("ready", states.ready()).put("conditions", shown).put("notices", new JsonArray(notices.get()));
    }

    private JsonObject configuration() {
        JsonObject shown = new JsonObject().put("effective", control.configuration());
        LastReload reload = control.lastReload();
        return reload == null
                ? shown
                : shown.put(
                        "reload",
                        new JsonObject()
                                .put("at", reload.at().toString())
                                .put("accepted", reload.accepted())
                                .put("problems", new JsonArray(reload.problems()))
                                .put("needsRestart", new JsonArray(reload.needsRestart())));
    }
}
