package dev.holdfast.management;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.PushPages;
import dev.holdfast.management.ApiAnswers.Failure;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeliveryStatus;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The pushes in the journal.
 *
 * <ul>
 *   <li>{@code GET /api/v1/pushes}: {@code from}, {@code to}, {@code id}, {@code event}, {@code enterprise}, {@code endpoint},
 *       {@code since}, {@code until}, {@code order}, {@code limit}, {@code cursor}
 *   <li>{@code GET /api/v1/pushes/SEQ}: the same of one, what else is kept of its request, its body in standard Base64, and its
 *       state at each consumer
 * </ul>
 */
public final class PushApi implements ApiPart {
    /** The keys that choose pushes. */
    static final List<String> CHOICE = List.of("from", "to", "id", "event", "enterprise", "endpoint", "since", "until");

    private static final List<String> LIST_KEYS = RequestValues.keys(CHOICE, "order", "limit", Cursor.KEY);

    /** A place in the list: the position to go on with. */
    private static final Cursor CURSOR = new Cursor("pushes", "(\\d{1,18})");

    private final Journal journal;
    private final PushPages pages;
    private final DeliveryControl delivery;
    private final Function<PushRecord, Signature> signatures;

    /**
     * A push's signature.
     *
     * @param header the name of the header it came in
     * @param matches whether a secret that is live now matches
     */
    public record Signature(String header, boolean matches) {}

    /** @param signatures finds out about a push's signature; called on a worker thread */
    public PushApi(
            Journal journal, PushPages pages, DeliveryControl delivery, Function<PushRecord, Signature> signatures) {
        this.journal = journal;
        this.pages = pages;
        this.delivery = delivery;
        this.signatures = signatures;
    }

    @Override
    public void addTo(ApiRoutes routes) {
        routes.get("/pushes", LIST_KEYS, this::list);
        routes.getLarge("/pushes/:seq", this::get);
    }

    private Future<JsonObject> list(RequestValues query) {
        int limit = query.limit();
        PushFilter filter = filter(query);
        PushPages.Order order =
                Objects.requireNonNullElse(query.oneOf("order", PushPages.Order.class), PushPages.Order.NEWEST);
        long at =
                CURSOR.read(query).map(place -> Long.parseLong(place.group(1))).orElse(0L);
        return query.searching(() -> show(pages.page(filter, order, at, limit, ApiJson::of)));
    }

    private static JsonObject show(PushPages.Page<JsonObject> page) {
        return ApiJson.present(new JsonObject()
                .put("pushes", new JsonArray(page.pushes()))
                .put(Cursor.NEXT, page.next() > 0 ? CURSOR.write(page.next()) : null)
                .put("searched", searched(page)));
    }

    /** How far a page has looked. */
    static JsonObject searched(PushPages.Page<?> page) {
        JsonObject searched = new JsonObject().put("count", page.looked());
        PushPages.Place last = page.last();
        return last == null
                ? searched
                : searched.put("seq", last.seq()).put("receivedAt", ApiJson.time(last.receivedAt()));
    }

    private Future<JsonObject> get(RequestValues path) {
        long seq = path.position("seq", 0);
        return path.blocking(() -> journal.get(seq)
                        .orElseThrow(() -> Failure.notFound("found no push " + seq + " in the journal")))
                .compose(push ->
                        delivery.deliveries(push).compose(deliveries -> path.blocking(() -> show(push, deliveries))));
    }

    private JsonObject show(PushRecord push, List<DeliveryStatus> deliveries) {
        Signature signature = signatures.apply(push);
        return ApiJson.of(push)
                .put(
                        "signature",
                        new JsonObject()
                                .put("header", signature.header())
                                .put("value", push.head().signature())
                                .put("matches", signature.matches()))
                .put("contentType", push.head().contentType())
                .put("contentEncoding", push.head().contentEncoding())
                .put("query", push.head().query())
                .put("body", ApiJson.base64(push.body()))
                .put("deliveries", ApiJson.array(deliveries, ConsumerApi::show));
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
