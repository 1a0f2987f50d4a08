package dev.holdfast.management;

import dev.holdfast.push.EventPattern;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/v1/tap}: pushes as they are accepted, as server-sent events (WHATWG HTML, section 9.2), until either side ends it. */
public final class TapApi implements ApiPart {
    private static final List<String> KEYS = List.of("event", "enterprise", "endpoint", "body", "rate");
    private static final int HIGHEST_RATE = 10_000;
    private static final int USUAL_RATE = 1_000;
    private static final int TICK_MILLIS = 1_000;
    private static final int UNAVAILABLE = 503;

    private final LiveTap tap;

    public TapApi(LiveTap tap) {
        this.tap = tap;
    }

    @Override
    public void addTo(Router router) {
        router.get("/tap").handler(this::watch);
    }

    @Override
    public void close() {
        tap.readers().forEach(TapReader::end);
    }

    private void watch(RoutingContext ctx) {
        TapReader.Choice choice;
        try {
            choice = choice(RequestValues.ofQuery(ctx, KEYS));
        } catch (IllegalArgumentException e) {
            ApiAnswers.failed(ctx, e);
            return;
        }
        String full = tap.full();
        if (full.isEmpty()) {
            begin(ctx, choice);
        } else {
            ApiAnswers.problem(ctx, UNAVAILABLE, full);
        }
    }

    private static TapReader.Choice choice(RequestValues query) {
        String event = query.events("event");
        Predicate<PushRecord> wanted = event == null ? push -> true : matching(new EventPattern(event));
        return new TapReader.Choice(
                wanted.and(same(
                                query.text("enterprise"),
                                push -> push.envelope().enterpriseToken()))
                        .and(same(query.text("endpoint"), PushRecord::endpoint)),
                query.flag("body"),
                (int) query.number("rate", 1, HIGHEST_RATE, USUAL_RATE));
    }

    private static Predicate<PushRecord> matching(EventPattern pattern) {
        return push -> pattern.matches(push.envelope().event());
    }

    private static Predicate<PushRecord> same(@Nullable String wanted, Field field) {
        return wanted == null ? push -> true : push -> wanted.equals(field.of(push));
    }

    /** What is looked at in a push. */
    private interface Field {
        String of(PushRecord push);
    }

    private void begin(RoutingContext ctx, TapReader.Choice choice) {
        HttpServerResponse response = ctx.response()
                .setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        Context context = ctx.vertx().getOrCreateContext();
        TapReader reader = new TapReader(choice, response, context);
        long timer = ctx.vertx().setPeriodic(TICK_MILLIS, id -> reader.tick());
        ctx.addEndHandler(ended -> {
            ctx.vertx().cancelTimer(timer);
            tap.remove(reader);
        });
        tap.add(reader);
        reader.begin();
    }
}
