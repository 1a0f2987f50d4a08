package dev.holdfast.management;

import dev.holdfast.store.Ledger;
import dev.holdfast.store.LedgerCount;
import dev.holdfast.store.LedgerStart;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;

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
    public void addTo(ApiRoutes routes) {
        routes.get("/ledger", KEYS, this::list);
    }

    private Future<JsonObject> list(RequestValues query) {
        LocalDate since = day(query, "since", LocalDate.EPOCH);
        LocalDate until = day(query, "until", END);
        if (!until.isAfter(since)) {
            throw query.wrong("until", "a day after since");
        }
        int limit = (int) query.number("limit", 1, LARGEST_PAGE, USUAL_PAGE);
        return query.blocking(
                () -> show(ledger.counts(since, until, limit + 1), ledger.starts(since, until, limit + 1), limit));
    }

    /** One of the years 1970 to 9999. */
    private static LocalDate day(RequestValues query, String name, LocalDate fallback) {
        String text = query.text(name);
        try {
            LocalDate day = text == null ? fallback : LocalDate.parse(text);
            if (text == null || (!day.isBefore(LocalDate.EPOCH) && day.isBefore(END))) {
                return day;
            }
        } catch (DateTimeException e) {
            // The exception below says it.
        }
        throw query.wrong(name, "a day such as 2026-01-31");
    }

    private static JsonObject show(List<LedgerCount> counts, List<LedgerStart> starts, int limit) {
        return new JsonObject()
                .put("counts", ApiJson.array(counts.stream().limit(limit).toList(), LedgerApi::show))
                .put("starts", ApiJson.array(starts.stream().limit(limit).toList(), LedgerApi::show))
                .put("more", counts.size() > limit || starts.size() > limit);
    }

    private static JsonObject show(LedgerCount count) {
        boolean hasRange = count.firstSeq() > 0;
        return ApiJson.present(new JsonObject()
                .put("day", count.day().toString())
                .put("cause", count.cause())
                .put("endpoint", ApiJson.unlessEmpty(count.endpoint()))
                .put("consumer", ApiJson.unlessEmpty(count.consumer()))
                .put("event", ApiJson.unlessEmpty(count.event()))
                .put("from", hasRange ? count.firstSeq() : null)
                .put("to", hasRange ? count.lastSeq() : null)
                .put("count", count.count()));
    }

    private static JsonObject show(LedgerStart start) {
        return ApiJson.present(new JsonObject()
                .put("at", ApiJson.time(start.at()))
                .put("downMillis", start.downMillis() == LedgerStart.UNKNOWN ? null : start.downMillis())
                .put("lastStop", ApiJson.label(start.lastStop())));
    }
}
