package dev.holdfast.management;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.PushPages;
import dev.holdfast.push.PushFilter;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
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
 *       these that chooses, {@code all: true}. {@code dryRun: true} only counts, for about a second at the longest
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

    private final WorkerExecutor searchers;
    private final Journal journal;
    private final PushPages pages;
    private final DeliveryControl delivery;
    private final AuditTrail audit;

    public ReplayApi(Vertx vertx, Journal journal, PushPages pages, DeliveryControl delivery, AuditTrail audit) {
        this.searchers = PushApi.searchers(vertx);
        this.journal = journal;
        this.pages = pages;
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
        long newest = journal.lastSeq();
        if (filter.from() > Math.max(1, newest)) {
            // What comes later is delivered anyway.
            throw body.wrong("from", "a position up to " + newest + ", the newest in the journal");
        }
        String consumer = body.text("consumer");
        int rate = (int) body.number("rate", 1, HIGHEST_RATE, USUAL_RATE);
        if (body.flag("dryRun")) {
            Collection<Predicate<String>> consumers = wants(body, consumer);
            return searchers
                    .executeBlocking(() -> count(filter, consumers), false)
                    .map(ReplayApi::show);
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
            throw body.wrong("consumer", "one that is configured: " + new TreeSet<>(wants.keySet()));
        }
        return consumer == null ? wants.values() : List.of(wants.get(consumer));
    }

    /** Of each push that matches, how many of the consumers want it; those that a search gets to. Blocks. */
    private PushPages.Page<Long> count(PushFilter filter, Collection<Predicate<String>> consumers) {
        return pages.page(filter, PushPages.Order.NEWEST, 0, Integer.MAX_VALUE, push -> {
            String event = push.envelope().event();
            return consumers.stream().filter(wants -> wants.test(event)).count();
        });
    }

    /** How many pushes somebody wants, how often they would be delivered, and how far that was counted. */
    static JsonObject show(PushPages.Page<Long> page) {
        return new JsonObject()
                .put(
                        "pushes",
                        page.pushes().stream()
                                .filter(deliveries -> deliveries > 0)
                                .count())
                .put(
                        "deliveries",
                        page.pushes().stream().mapToLong(Long::longValue).sum())
                .put("more", page.next() > 0)
                .put("searched", PushApi.searched(page));
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
