package dev.holdfast.management;

import dev.holdfast.store.Ledger;
import dev.holdfast.store.LedgerCount;
import dev.holdfast.store.LedgerStart;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * {@code GET /api/v1/ledger}: what was refused or lost by day, cause and endpoint, and the starts, both newest first. {@code since}
 * and {@code until} are days, {@code limit} goes for either; {@code more} in the answer says that it cut something off.
 */
public final class LedgerApi implements ApiPart {
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 10_000;
    private static final List<String> KEYS = List.of("since", "until", "limit");
    private static final LocalDate END = LocalDate.of(10_000, 1, 1);

    private final Ledger ledger;

    public LedgerApi(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void addTo(Router router) {
        router.get("/ledger").handler(ctx -> ApiAnswers.answer(ctx, this::list));
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        RequestValues query = RequestValues.ofQuery(ctx, KEYS);
        LocalDate since = query.day("since", LocalDate.EPOCH);
        LocalDate until = query.day("until", END);
        if (!until.isAfter(since)) {
            throw query.wrong("until", "a day after since");
        }
        int limit = (int) query.number("limit", 1, LARGEST_PAGE, USUAL_PAGE);
        return ctx.vertx()
                .executeBlocking(
                        () -> show(
                                ledger.counts(since, until, limit + 1), ledger.starts(since, until, limit + 1), limit),
                        false);
    }

    private static JsonObject show(List<LedgerCount> counts, List<LedgerStart> starts, int limit) {
        return new JsonObject()
                .put("counts", array(counts.stream().limit(limit).map(LedgerApi::show)))
                .put("starts", array(starts.stream().limit(limit).map(LedgerApi::show)))
                .put("more", counts.size() > limit || starts.size() > limit);
    }

    private static JsonArray array(Stream<JsonObject> shown) {
        return new JsonArray(shown.toList());
    }

    private static JsonObject show(LedgerCount count) {
        JsonObject shown = new JsonObject().put("day", count.day().toString()).put("cause", count.cause());
        if (!count.endpoint().isEmpty()) {
            shown.put("endpoint", count.endpoint());
        }
        if (!count.consumer().isEmpty()) {
            shown.put("consumer", count.consumer());
        }
        if (!count.event().isEmpty()) {
            shown.put("event", count.event());
        }
        if (count.firstSeq() > 0) {
            shown.put("from", count.firstSeq()).put("to", count.lastSeq());
        }
        return shown.put("count", count.count());
    }

    private static JsonObject show(LedgerStart start) {
        JsonObject shown =
                new JsonObject().put("at", Instant.ofEpochMilli(start.at()).toString());
        if (start.downMillis() != LedgerStart.UNKNOWN) {
            shown.put("downMillis", start.downMillis());
        }
        return shown.put("lastStop", start.lastStop().name().toLowerCase(Locale.ROOT));
    }
}
