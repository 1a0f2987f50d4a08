package dev.holdfast.management;

import dev.holdfast.journal.PushFilter;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pushes in the journal, and delivering them again.
 *
 * <ul>
 *   <li>{@code GET /api/pushes}: {@code from}, {@code to}, {@code id}, {@code event}, {@code since}, {@code until},
 *       {@code limit}
 *   <li>{@code GET /api/pushes/SEQ}: the same of one, and its body in standard Base64
 *   <li>{@code POST /api/replays}: a JSON object of the same keys, {@code consumer}, {@code rate} and {@code dryRun}, which
 *       only counts
 *   <li>{@code GET /api/replays}: those on their way and the last ones that were; {@code POST /api/replays/ID/stop} with an empty JSON object
 * </ul>
 */
public final class PushApi implements ApiPart {
    private static final int LARGEST_BODY = 16 * 1024;
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 1000;
    private static final int USUAL_RATE = 500;
    private static final int HIGHEST_RATE = 100_000;
    private static final List<String> KEYS =
            List.of("from", "to", "id", "event", "since", "until", "consumer", "rate", "dryRun");

    private final PushControl control;

    public PushApi(PushControl control) {
        this.control = control;
    }

    @Override
    public Router router(Vertx vertx) {
        Router router = Router.router(vertx);
        router.get("/pushes").handler(ctx -> ApiAnswers.answer(ctx, this::list));
        router.get("/pushes/:seq").handler(ctx -> ApiAnswers.answer(ctx, this::get));
        router.get("/replays").handler(ctx -> ApiAnswers.answer(ctx, this::replays));
        router.post("/replays*").handler(BodyHandler.create(false).setBodyLimit(LARGEST_BODY));
        router.post("/replays").handler(ctx -> ApiAnswers.answer(ctx, this::replay));
        router.post("/replays/:id/stop").handler(ctx -> ApiAnswers.answer(ctx, this::stop));
        return router;
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        HttpServerRequest request = ctx.request();
        long limit = ApiAnswers.number("limit", request.getParam("limit"), USUAL_PAGE);
        int page = (int) Math.max(1, Math.min(LARGEST_PAGE, limit));
        return control.list(filter(request::getParam), page).map(pushes -> {
            JsonArray shown = new JsonArray();
            pushes.forEach(push -> shown.add(show(push)));
            JsonObject answer = new JsonObject().put("pushes", shown);
            return pushes.size() < page
                    ? answer
                    : answer.put("next", pushes.get(page - 1).seq() + 1);
        });
    }

    private Future<JsonObject> get(RoutingContext ctx) {
        long seq = ApiAnswers.number("seq", ctx.pathParam("seq"), 0);
        return control.list(new PushFilter(seq, seq, null, null, 0, Long.MAX_VALUE), 1)
                .map(pushes -> {
                    if (pushes.isEmpty()) {
                        throw new IllegalArgumentException("found no push " + seq + " in the journal");
                    }
                    PushRecord push = pushes.get(0);
                    return show(push).put("body", Base64.getEncoder().encodeToString(push.body()));
                });
    }

    private Future<JsonObject> replay(RoutingContext ctx) {
        JsonObject body = ApiAnswers.body(ctx);
        for (String key : body.fieldNames()) {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException("found an unknown key " + key + ", expected one of " + KEYS);
            }
        }
        PushFilter filter = filter(body::getValue);
        String consumer = ApiAnswers.text("consumer", body.getValue("consumer"));
        long rate = ApiAnswers.number("rate", body.getValue("rate"), USUAL_RATE);
        if (rate < 1 || rate > HIGHEST_RATE) {
            throw new IllegalArgumentException("rate: expected pushes a second, from 1 to " + HIGHEST_RATE);
        }
        if ("true".equals(String.valueOf(body.getValue("dryRun")))) {
            return control.count(filter).map(count -> new JsonObject().put("pushes", count));
        }
        return control.replay(filter, consumer, (int) rate).map(ReplayView::of);
    }

    private Future<JsonObject> replays(RoutingContext ctx) {
        return control.replays().map(replays -> {
            JsonArray shown = new JsonArray();
            replays.forEach(replay -> shown.add(ReplayView.of(replay)));
            return new JsonObject().put("replays", shown);
        });
    }

    private Future<JsonObject> stop(RoutingContext ctx) {
        ApiAnswers.body(ctx);
        return control.stopReplay(ctx.pathParam("id")).map(found -> new JsonObject().put("stopped", found));
    }

    private static PushFilter filter(Function<String, @Nullable Object> field) {
        return new PushFilter(
                ApiAnswers.number("from", field.apply("from"), 0),
                ApiAnswers.number("to", field.apply("to"), Long.MAX_VALUE),
                ApiAnswers.text("id", field.apply("id")),
                ApiAnswers.text("event", field.apply("event")),
                ApiAnswers.instant("since", field.apply("since"), 0),
                ApiAnswers.instant("until", field.apply("until"), Long.MAX_VALUE));
    }

    private static JsonObject show(PushRecord push) {
        return new JsonObject()
                .put("seq", push.seq())
                .put("event", push.envelope().event())
                .put("id", push.envelope().id())
                .put("endpoint", push.endpoint())
                .put("bytes", push.body().length)
                .put("receivedAt", Instant.ofEpochMilli(push.receivedAt()).toString());
    }
}
