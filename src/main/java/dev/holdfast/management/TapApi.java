package dev.holdfast.management;

import dev.holdfast.journal.Journal;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * {@code GET /api/v1/tap}: pushes as they are accepted, as server-sent events (WHATWG HTML, section 9.2), until either
 * side ends the stream. While nobody watches, it costs the journal's thread nothing.
 */
public final class TapApi implements ApiPart, Journal.Follower {
    private static final List<String> KEYS = List.of("event", "enterprise", "endpoint", "body", "rate");
    private static final int HIGHEST_RATE = 10_000;
    private static final int USUAL_RATE = 1_000;
    private static final int TICK_MILLIS = 1_000;
    private static final int MOST_READERS = 8;
    private static final int UNAVAILABLE = 503;

    private final List<TapReader> readers = new CopyOnWriteArrayList<>();

    @Override
    public void committed(List<PushRecord> pushes) {
        if (readers.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        for (TapReader reader : readers) {
            for (PushRecord push : pushes) {
                reader.offer(push, now);
            }
        }
    }

    @Override
    public void addTo(ApiRoutes routes) {
        routes.read("/tap", KEYS, query -> begin(query.ctx(), choice(query)));
    }

    @Override
    public void close() {
        readers.forEach(TapReader::end);
    }

    private static TapReader.Choice choice(RequestValues query) {
        int rate = (int) query.number("rate", 1, HIGHEST_RATE, USUAL_RATE);
        return new TapReader.Choice(PushApi.filter(query), query.flag("body"), rate);
    }

    private void begin(RoutingContext ctx, TapReader.Choice choice) {
        if (readers.size() >= MOST_READERS) {
            throw new ApiAnswers.Failure(
                    UNAVAILABLE, "found " + readers.size() + " who watch already, expected fewer than " + MOST_READERS);
        }
        HttpServerResponse response = ctx.response()
                .setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        Context context = ctx.vertx().getOrCreateContext();
        TapReader reader = new TapReader(choice, response, context);
        long timer = ctx.vertx().setPeriodic(TICK_MILLIS, id -> reader.tick());
        ctx.addEndHandler(ended -> {
            ctx.vertx().cancelTimer(timer);
            readers.remove(reader);
        });
        readers.add(reader);
        reader.comment();
    }
}
