package dev.holdfast.management;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.consumer.LastFailure;
import dev.holdfast.management.ApiAnswers.Failure;
import dev.holdfast.store.DeliveryStatus;
import dev.holdfast.store.LaneState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    private static final double TENTHS = 10;

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
    public void addTo(ApiRoutes routes) {
        routes.get("/consumers", none -> entries().map(entries -> new JsonObject().put("consumers", entries)));
        routes.get("/consumers/:name", this::get);
        routes.post("/consumers/:name/pause", List.of(), path -> change(path, "consumers.pause", delivery::pause));
        routes.post("/consumers/:name/resume", List.of(), path -> change(path, "consumers.resume", delivery::resume));
    }

    /** All of them, by name. */
    public Future<JsonArray> entries() {
        Map<String, String> absent = away.get();
        return delivery.states().map(states -> ApiJson.array(states, state -> show(state, absent.get(state.name()))));
    }

    private Future<JsonObject> get(RequestValues path) {
        String name = path.ctx().pathParam("name");
        return one(name)
                .compose(shown -> delivery.lanes(name)
                        .map(lanes -> shown.put("lanes", ApiJson.array(lanes.lanes(), ConsumerApi::show))
                                .put("more", lanes.more())));
    }

    private Future<JsonObject> change(RequestValues path, String action, Function<String, Future<Boolean>> change) {
        String name = path.ctx().pathParam("name");
        return change.apply(name).compose(known -> {
            if (!known) {
                throw Failure.notFound("found no consumer " + RequestValues.shown(name) + " in the configuration");
            }
            audit.record(path, action, RequestValues.shown(name), null, null);
            return one(name);
        });
    }

    private Future<JsonObject> one(String name) {
        return delivery.states()
                .map(states -> states.stream()
                        .filter(state -> state.name().equals(name))
                        .findFirst()
                        .map(state -> show(state, away.get().get(name)))
                        .orElseThrow(() -> Failure.notFound("found no consumer " + RequestValues.shown(name) + ", "
                                + (states.isEmpty()
                                        ? "and none is configured"
                                        : "expected one of "
                                                + states.stream()
                                                        .map(ConsumerState::name)
                                                        .toList()))));
    }

    /** @param away why it does not run, empty when it is still starting; null: it runs */
    private static JsonObject show(ConsumerState state, @Nullable String away) {
        boolean configured = !state.events().isEmpty();
        LastFailure failure = state.lastFailure();
        LastFailure blockedBy = state.blockedBy();
        return ApiJson.present(new JsonObject()
                .put("name", state.name())
                .put("state", ApiJson.label(phase(state, away)))
                .put("because", configured ? away == null ? null : ApiJson.unlessEmpty(away) : "it is not configured")
                .put("events", new JsonArray(state.events()))
                .put("verticle", ApiJson.unlessEmpty(state.verticle()))
                .put("handled", unlessNegative(state.handled()))
                .put("lag", configured ? state.lag() : null)
                .put("lagSeconds", configured ? tenths(state.lagSeconds()) : null)
                .put("rate", configured ? tenths(state.rate()) : null)
                .put("lanesBlocked", unlessNegative(state.lanesBlocked()))
                .put("lanesBackingOff", state.lanesBlocked() < 0 ? null : state.lanesBackingOff())
                .put("blockedBy", blockedBy == null ? null : show(blockedBy))
                .put("deadLetters", state.deadLetters())
                .put("lastFailure", failure == null ? null : show(failure)));
    }

    private static ConsumerState.Phase phase(ConsumerState state, @Nullable String away) {
        if (away == null || state.phase() == ConsumerState.Phase.PAUSED) {
            return state.phase();
        }
        return away.isEmpty() ? ConsumerState.Phase.STARTING : ConsumerState.Phase.STOPPED;
    }

    private static @Nullable Long unlessNegative(long value) {
        return value < 0 ? null : value;
    }

    private static double tenths(double value) {
        return Math.round(value * TENTHS) / TENTHS;
    }

    private static JsonObject show(LastFailure failure) {
        return new JsonObject()
                .put("at", ApiJson.time(failure.at()))
                .put("seq", failure.seq())
                .put("error", failure.error());
    }

    private static JsonObject show(LaneState lane) {
        DeliveryStatus.FailedAttempts failed = lane.failed();
        return ApiJson.present(new JsonObject()
                .put("lane", lane.lane())
                .put("seq", lane.seq())
                .put("event", lane.event())
                .put("waiting", lane.waiting())
                .put("attempts", failed == null ? null : failed.count())
                .put(
                        "firstFailedAt",
                        failed == null ? null : ApiJson.time(failed.first().at()))
                .put("lastError", failed == null ? null : failed.last().error())
                .put("nextAttemptAt", ApiJson.timeUnlessNever(lane.nextAttemptAt())));
    }

    /** A push's state at a consumer. */
    static JsonObject show(DeliveryStatus status) {
        DeliveryStatus.FailedAttempts failed = status.failed();
        return ApiJson.present(new JsonObject()
                .put("consumer", status.consumer())
                .put("state", ApiJson.label(status.state()))
                .put("lane", status.lane())
                .put("attempts", failed == null ? null : failed.count())
                .put(
                        "firstFailedAt",
                        failed == null ? null : ApiJson.time(failed.first().at()))
                .put(
                        "lastFailedAt",
                        failed == null ? null : ApiJson.time(failed.last().at()))
                .put("lastError", failed == null ? null : failed.last().error())
                .put("nextAttemptAt", ApiJson.timeUnlessNever(status.nextAttemptAt()))
                .put("behindSeq", status.behind() > 0 ? status.behind() : null)
                .put("reason", status.reason()));
    }
}
