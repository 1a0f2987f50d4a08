package dev.holdfast.management;

import dev.holdfast.journal.PushSearch;
import dev.holdfast.push.PushFilter;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Delivering pushes of the journal again.
 *
 * <ul>
 *   <li>{@code POST /api/v1/replays}: a JSON object of the keys that choose pushes, {@code consumer}, {@code rate}; with none of
 *       these that chooses, {@code all: true}. {@code dryRun: true} only counts
 *   <li>{@code GET /api/v1/replays}: those on their way and the last ones that were, the newest first; {@code POST
 *       /api/v1/replays/ID/stop} with an empty JSON object
 * </ul>
 */
public final class ReplayApi implements ApiPart {
    private static final int USUAL_RATE = 500;
    private static final int HIGHEST_RATE = 100_000;
    private static final List<String> KEYS = RequestValues.keys(PushApi.CHOICE, "consumer", "all", "rate", "dryRun");

    /** What says in the audit which are meant. */
    private static final List<String> TARGET = RequestValues.keys(PushApi.CHOICE, "consumer", "all", "rate");

    private final PushSearch pushes;
    private final DeliveryControl delivery;
    private final AuditTrail audit;

    public ReplayApi(PushSearch pushes, DeliveryControl delivery, AuditTrail audit) {
        this.pushes = pushes;
        this.delivery = delivery;
        this.audit = audit;
    }

    @Override
    public void addTo(Router router) {
        BodyHandler body = ApiAnswers.bodies();
        router.get("/replays").handler(ctx -> ApiAnswers.answer(ctx, this::replays));
        router.post("/replays").handler(body).handler(ctx -> ApiAnswers.answer(ctx, this::replay));
        router.post("/replays/:id/stop").handler(body).handler(ctx -> ApiAnswers.answer(ctx, this::stop));
    }

    private Future<JsonObject> replay(RoutingContext ctx) {
        RequestValues body = RequestValues.ofBody(ctx, KEYS);
        PushFilter filter = PushApi.filter(body);
        String consumer = body.text("consumer");
        int rate = (int) body.number("rate", 1, HIGHEST_RATE, USUAL_RATE);
        if (body.flag("dryRun")) {
            Collection<Predicate<String>> consumers = wants(body, consumer);
            return ctx.vertx().executeBlocking(() -> count(filter, consumers), false);
        }
        if (consumer == null && !body.hasOneOf(PushApi.CHOICE) && !body.flag("all")) {
            throw new IllegalArgumentException("found nothing that says which pushes, expected one of " + PushApi.CHOICE
                    + ", a consumer, or all: true for every push to every consumer");
        }
        return delivery.replay(filter, consumer, rate).map(replay -> {
            audit.record(ctx, "replays.begin", body.shown(TARGET), null, null);
            return ReplayView.of(replay);
        });
    }

    private Collection<Predicate<String>> wants(RequestValues body, @Nullable String consumer) {
        Map<String, Predicate<String>> wants = delivery.wants();
        if (consumer != null && !wants.containsKey(consumer)) {
            throw body.wrong("consumer", "one that is running: " + new TreeSet<>(wants.keySet()));
        }
        return consumer == null ? wants.values() : List.of(wants.get(consumer));
    }

    /** Pushes that match and at least one of the consumers wants, and how often they would be delivered. Blocks. */
    private JsonObject count(PushFilter filter, Collection<Predicate<String>> consumers) {
        long[] counts = {0, 0};
        pushes.walk(filter, push -> {
            String event = push.envelope().event();
            long deliveries =
                    consumers.stream().filter(wants -> wants.test(event)).count();
            counts[0] += deliveries > 0 ? 1 : 0;
            counts[1] += deliveries;
            return true;
        });
        return new JsonObject().put("pushes", counts[0]).put("deliveries", counts[1]);
    }

    private Future<JsonObject> replays(RoutingContext ctx) {
        RequestValues.ofNothing(ctx);
        return delivery.replays().map(replays -> {
            List<ReplayState> newestFirst = new ArrayList<>(replays);
            Collections.reverse(newestFirst);
            return new JsonObject()
                    .put(
                            "replays",
                            new JsonArray(
                                    newestFirst.stream().map(ReplayView::of).toList()));
        });
    }

    private Future<JsonObject> stop(RoutingContext ctx) {
        RequestValues.ofBody(ctx, List.of());
        String id = ctx.pathParam("id");
        return delivery.stopReplay(id).map(found -> {
            if (!found) {
                throw new ApiAnswers.NotFound("found no replay " + id + " on its way");
            }
            audit.record(ctx, "replays.stop", RequestValues.shown(id), null, null);
            return new JsonObject().put("stopped", true);
        });
    }
}
