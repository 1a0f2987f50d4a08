package dev.holdfast.management;

import dev.holdfast.store.DeadLetters;
import dev.holdfast.store.Discard;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.regex.MatchResult;

/**
 * {@code GET /api/v1/discards}: the dead letters that were given up, and why, newest first, {@code limit} from {@code cursor}
 * on.
 */
public final class DiscardApi implements ApiPart {
    /** A place in the list: time, position, consumer. */
    private static final Cursor CURSOR = new Cursor("discards", "(\\d{1,18}):(\\d{1,18}):(.+)");

    private final DeadLetters letters;

    public DiscardApi(DeadLetters letters) {
        this.letters = letters;
    }

    @Override
    public void addTo(ApiRoutes routes) {
        routes.get("/discards", Cursor.KEYS, this::list);
    }

    private Future<JsonObject> list(RequestValues query) {
        int limit = query.limit();
        Discard last = CURSOR.read(query).map(DiscardApi::discard).orElse(null);
        return query.blocking(() -> CURSOR.page(
                "discards",
                letters.discards(last, limit),
                limit,
                DiscardApi::show,
                discard -> discard.at() + ":" + discard.seq() + ":" + discard.consumer()));
    }

    private static Discard discard(MatchResult place) {
        return new Discard(place.group(3), Long.parseLong(place.group(2)), "", Long.parseLong(place.group(1)), "");
    }

    private static JsonObject show(Discard discard) {
        return new JsonObject()
                .put("consumer", discard.consumer())
                .put("seq", discard.seq())
                .put("event", discard.event())
                .put("at", ApiJson.time(discard.at()))
                .put("reason", discard.reason());
    }
}
