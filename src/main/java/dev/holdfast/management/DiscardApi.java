package dev.holdfast.management;

import dev.holdfast.store.DeadLetters;
import dev.holdfast.store.Discard;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import java.util.regex.MatchResult;

/** {@code GET /api/v1/discards}: dead letters that were given up, and why, newest first, {@code limit} of them from {@code cursor} on. */
public final class DiscardApi implements ApiPart {
    /** When, which, and whose. */
    private static final Cursor CURSOR = new Cursor("discards", "(\\d{1,18}):(\\d{1,18}):(.+)");

    private final DeadLetters letters;

    public DiscardApi(DeadLetters letters) {
        this.letters = letters;
    }

    @Override
    public void addTo(Router router) {
        router.get("/discards").handler(ctx -> ApiAnswers.answer(ctx, this::list));
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        RequestValues query = RequestValues.ofQuery(ctx, List.of("limit", Cursor.KEY));
        int limit = query.limit();
        Discard last = CURSOR.read(query).map(DiscardApi::at).orElse(null);
        return ctx.vertx().executeBlocking(() -> page(letters.discards(last, limit), limit), false);
    }

    private static Discard at(MatchResult place) {
        return new Discard(place.group(3), Long.parseLong(place.group(2)), "", Long.parseLong(place.group(1)), "");
    }

    private static JsonObject page(List<Discard> discards, int limit) {
        JsonObject page = new JsonObject()
                .put(
                        "discards",
                        new JsonArray(discards.stream().map(DiscardApi::show).toList()));
        if (discards.size() == limit) {
            Discard last = discards.get(limit - 1);
            page.put("next", CURSOR.write(last.at() + ":" + last.seq() + ":" + last.consumer()));
        }
        return page;
    }

    private static JsonObject show(Discard discard) {
        return new JsonObject()
                .put("consumer", discard.consumer())
                .put("seq", discard.seq())
                .put("event", discard.event())
                .put("at", Instant.ofEpochMilli(discard.at()).toString())
                .put("reason", discard.reason());
    }
}
