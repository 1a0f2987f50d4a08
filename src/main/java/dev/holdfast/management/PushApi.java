package dev.holdfast.management;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.PushPages;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.WayStation;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Function;

/**
 * The pushes in the journal.
 *
 * <ul>
 *   <li>{@code GET /api/v1/pushes}: {@code from}, {@code to}, {@code id}, {@code event}, {@code enterprise}, {@code endpoint},
 *       {@code since}, {@code until}, {@code order}, {@code limit}, {@code cursor}
 *   <li>{@code GET /api/v1/pushes/SEQ}: the same of one, what else is kept of its request, its body in standard Base64, and its
 *       way through each consumer
 * </ul>
 */
public final class PushApi implements ApiPart {
    /** What says which pushes are meant. */
    static final List<String> CHOICE = List.of("from", "to", "id", "event", "enterprise", "endpoint", "since", "until");

    private static final List<String> LIST_KEYS = RequestValues.keys(CHOICE, "order", "limit", Cursor.KEY);

    /** The position to go on with. */
    private static final Cursor CURSOR = new Cursor("pushes", "(\\d{1,18})");

    private static final int SEARCHERS = 2;

    private final WorkerExecutor searchers;

    private final Journal journal;
    private final PushPages pages;
    private final DeliveryControl delivery;
    private final Function<PushRecord, PushSignature> signatures;

    /** @param signatures how it stands with a push's signature; on a worker thread */
    public PushApi(
            Vertx vertx,
            Journal journal,
            PushPages pages,
            DeliveryControl delivery,
            Function<PushRecord, PushSignature> signatures) {
        this.searchers = searchers(vertx);
        this.journal = journal;
        this.pages = pages;
        this.delivery = delivery;
        this.signatures = signatures;
    }

    /**
     * Threads of their own, for searches of the journal, the dead letters and the quarantine: those that take long, and many of them,
     * keep nobody else waiting, a probe least of all. To be held as long as they are used: Vert.x ends those that the collector finds.
     */
    static WorkerExecutor searchers(Vertx vertx) {
        return vertx.createSharedWorkerExecutor("push-search", SEARCHERS);
    }

    @Override
    public void addTo(Router router) {
        router.get("/pushes").handler(ctx -> ApiAnswers.answer(ctx, this::list));
        router.get("/pushes/:seq").handler(ctx -> ApiAnswers.answer(ctx, this::get));
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        RequestValues query = RequestValues.ofQuery(ctx, LIST_KEYS);
        int limit = query.limit();
        PushFilter filter = filter(query);
        PushPages.Order order = order(query);
        long at =
                CURSOR.read(query).map(place -> Long.parseLong(place.group(1))).orElse(0L);
        return searchers
                .executeBlocking(() -> pages.page(filter, order, at, limit, PushView::of), false)
                .map(PushApi::show);
    }

    private static JsonObject show(PushPages.Page<JsonObject> page) {
        JsonObject answer = new JsonObject().put("pushes", new JsonArray(page.pushes()));
        if (page.next() > 0) {
            answer.put("next", CURSOR.write(page.next()));
        }
        return answer.put("searched", searched(page));
    }

    /** How far a page has looked. */
    static JsonObject searched(PushPages.Page<?> page) {
        JsonObject searched = new JsonObject().put("count", page.looked());
        PushPages.Place last = page.last();
        return last == null
                ? searched
                : searched.put("seq", last.seq()).put("receivedAt", PushView.time(last.receivedAt()));
    }

    private static PushPages.Order order(RequestValues query) {
        String order = query.text("order");
        if (order == null || order.equals("newest")) {
            return PushPages.Order.NEWEST;
        }
        if (order.equals("oldest")) {
            return PushPages.Order.OLDEST;
        }
        throw query.wrong("order", "newest or oldest");
    }

    private Future<JsonObject> get(RoutingContext ctx) {
        long seq = RequestValues.ofPath(ctx).position("seq", 0);
        return ctx.vertx()
                .executeBlocking(() -> journal.get(seq), false)
                .map(found ->
                        found.orElseThrow(() -> new ApiAnswers.NotFound("found no push " + seq + " in the journal")))
                .compose(push ->
                        delivery.way(push).compose(way -> ctx.vertx().executeBlocking(() -> show(push, way), false)));
    }

    private JsonObject show(PushRecord push, List<WayStation> way) {
        PushSignature signature = signatures.apply(push);
        return PushView.of(push)
                .put(
                        "signature",
                        new JsonObject()
                                .put("header", signature.header())
                                .put("value", push.head().signature())
                                .put("matches", signature.matches()))
                .put("contentType", push.head().contentType())
                .put("contentEncoding", push.head().contentEncoding())
                .put("query", push.head().query())
                .put("body", PushView.body(push))
                .put("way", new JsonArray(way.stream().map(ConsumerJson::of).toList()));
    }

    static PushFilter filter(RequestValues fields) {
        RequestValues.Range positions = fields.range("a position");
        RequestValues.Range times = fields.times();
        return new PushFilter(
                positions.from(),
                positions.to(),
                fields.text("id"),
                fields.events("event"),
                fields.text("enterprise"),
                fields.text("endpoint"),
                times.from(),
                times.to());
    }
}
