package dev.holdfast.management;

import dev.holdfast.store.Audit;
import dev.holdfast.store.AuditEntry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;

/** {@code GET /api/v1/audit}: who changed what, newest first, {@code limit} of them from {@code cursor} on. */
public final class AuditApi implements ApiPart {
    private static final Cursor CURSOR = new Cursor("audit", "(\\d{1,18})");

    private final Audit audit;

    public AuditApi(Audit audit) {
        this.audit = audit;
    }

    @Override
    public void addTo(Router router) {
        router.get("/audit").handler(ctx -> ApiAnswers.answer(ctx, this::list));
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        RequestValues query = RequestValues.ofQuery(ctx, List.of("limit", Cursor.KEY));
        int limit = query.limit();
        long below =
                CURSOR.read(query).map(place -> Long.valueOf(place.group(1))).orElse(Long.MAX_VALUE);
        return ctx.vertx().executeBlocking(() -> page(audit.newest(below, limit), limit), false);
    }

    private static JsonObject page(List<Audit.Line> lines, int limit) {
        JsonObject page = new JsonObject()
                .put(
                        "actions",
                        new JsonArray(
                                lines.stream().map(line -> show(line.entry())).toList()));
        return lines.size() < limit
                ? page
                : page.put("next", CURSOR.write(lines.get(limit - 1).number()));
    }

    private static JsonObject show(AuditEntry entry) {
        JsonObject shown = new JsonObject()
                .put("at", Instant.ofEpochMilli(entry.at()).toString())
                .put("who", entry.who())
                .put("from", entry.from())
                .put("action", entry.action())
                .put("target", entry.target());
        if (entry.count() != null) {
            shown.put("count", entry.count());
        }
        return entry.reason() == null ? shown : shown.put("reason", entry.reason());
    }
}
