package dev.holdfast.management;

import dev.holdfast.journal.PushSearch;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pushes in the journal, and delivering them again.
 *
 * <ul>
 *   <li>{@code GET /api/v1/pushes}: {@code from}, {@code to}, {@code id}, {@code event}, {@code since}, {@code until},
 *       {@code limit}
 *   <li>{@code GET /api/v1/pushes/SEQ}: the same of one, what else is kept of its request, and its body in standard Base64
 *   <li>{@code POST /api/v1/replays}: a JSON object of the same keys but {@code limit}, {@code consumer}, {@code rate}; with
 *       none of these that chooses, {@code all: true}. {@code dryRun: true} only counts
 *   <li>{@code GET /api/v1/replays}: those on their way and the last ones that were; {@code POST /api/v1/replays/ID/stop} with an empty JSON object
 * </ul>
 */
public final class PushApi implements ApiPart {
    private static final int USUAL_RATE = 500;
    private static final int HIGHEST_RATE = 100_000;
    /** What says which pushes are meant. */
    private static final List<String> CHOICE = List.of("from", "to", "id", "event", "since", "until");

    private static final List<String> LIST_KEYS = RequestValues.keys(CHOICE, "limit");
    private static final List<String> REPLAY_KEYS = RequestValues.keys(CHOICE, "consumer", "all", "rate", "dryRun");

    private final PushSearch pushes;
    private final DeliveryControl delivery;

    public PushApi(PushSearch pushes, DeliveryControl delivery) {
        this.pushes = pushes;
        this.delivery = delivery;
    }

    @Override
    public void addTo(Router router) {
        BodyHandler body = ApiAnswers.bodies();
        router.get("/pushes").handler(ctx -> ApiAnswers.answer(ctx, this::list));
        router.get("/pushes/:seq").handler(ctx -> ApiAnswers.answer(ctx, this::get));
        router.get("/replays").handler(ctx -> ApiAnswers.answer(ctx, this::replays));
        router.post("/replays").handler(body).handler(ctx -> ApiAnswers.answer(ctx, this::replay));
        router.post("/replays/:id/stop").handler(body).handler(ctx -> ApiAnswers.answer(ctx, this::stop));
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        RequestValues query = RequestValues.ofQuery(ctx, LIST_KEYS);
        int page = query.limit();
        PushFilter filter = filter(query);
        return ctx.vertx()
                .executeBlocking(() -> pushes.list(filter, page, PushView::of), false)
                .map(found -> {
                    JsonObject answer = new JsonObject().put("pushes", new JsonArray(found));
                    return found.size() < page
                            ? answer
                            : answer.put("next", found.get(page - 1).getLong("seq") + 1);
                });
    }

    private Future<JsonObject> get(RoutingContext ctx) {
        long seq = RequestValues.ofPath(ctx).position("seq", 0);
        PushFilter one = new PushFilter(seq, seq, null, null, 0, Long.MAX_VALUE);
        return ctx.vertx()
                .executeBlocking(() -> pushes.list(one, 1, PushApi::whole), false)
                .map(found -> {
                    if (found.isEmpty()) {
                        throw new ApiAnswers.NotFound("found no push " + seq + " in the journal");
                    }
                    return found.get(0);
                });
    }

    private Future<JsonObject> replay(RoutingContext ctx) {
        RequestValues body = RequestValues.ofBody(ctx, REPLAY_KEYS);
        PushFilter filter = filter(body);
        String consumer = body.text("consumer");
        int rate = (int) body.number("rate", 1, HIGHEST_RATE, USUAL_RATE);
        if (body.flag("dryRun")) {
            Collection<Predicate<String>> consumers = wants(body, consumer);
            return ctx.vertx().executeBlocking(() -> count(filter, consumers), false);
        }
        if (consumer == null && !body.hasOneOf(CHOICE) && !body.flag("all")) {
            throw new IllegalArgumentException("found nothing that says which pushes, expected one of " + CHOICE
                    + ", a consumer, or all: true for every push to every consumer");
        }
        return delivery.replay(filter, consumer, rate).map(ReplayView::of);
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
            JsonArray shown = new JsonArray();
            replays.forEach(replay -> shown.add(ReplayView.of(replay)));
            return new JsonObject().put("replays", shown);
        });
    }

    private Future<JsonObject> stop(RoutingContext ctx) {
        RequestValues.ofBody(ctx, List.of());
        String id = ctx.pathParam("id");
        return delivery.stopReplay(id).map(found -> {
            if (!found) {
                throw new ApiAnswers.NotFound("found no replay " + id + " on its way");
            }
            return new JsonObject().put("stopped", true);
        });
    }

    private static PushFilter filter(RequestValues fields) {
        RequestValues.Range positions = fields.range("a position");
        RequestValues.Range times = fields.times();
        return new PushFilter(
                positions.from(), positions.to(), fields.text("id"), fields.events("event"), times.from(), times.to());
    }

    private static JsonObject whole(PushRecord push) {
        return PushView.of(push)
                .put("contentType", push.head().contentType())
                .put("contentEncoding", push.head().contentEncoding())
                .put("query", push.head().query())
                .put("body", Base64.getEncoder().encodeToString(push.body()));
    }
}
