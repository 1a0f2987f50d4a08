package dev.holdfast.management;

import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.DeadLetterFilter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.time.Instant;
import java.util.List;

/**
 * What consumers failed for good.
 *
 * <ul>
 *   <li>{@code GET /api/dead-letters}: {@code consumer}, {@code event} ({@code client.*}), {@code from}, {@code to},
 *       {@code limit} and {@code after}, which is the answer before's {@code next}
 *   <li>{@code POST /api/dead-letters/retry} and {@code /discard}: a JSON object with {@code consumer}, {@code event},
 *       {@code seq} or {@code from} and {@code to}; or {@code all: true}. A discard has a {@code reason}.
 * </ul>
 *
 * No answer holds a push's body. An error is kept without a message that quotes the push: with a string or a number of its
 * body, from five characters on, or twelve characters in a row. The messages of {@code PermanentFailure} and
 * {@code RetryLater} are shown as they are.
 */
public final class DeadLetterApi implements ApiPart {
    private static final int LARGEST_BODY = 16 * 1024;
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 1000;
    private static final int LONGEST_REASON = 200;
    private static final String ORDER =
            "in the order of their lanes, beside what waits there; what a lane has handled since they failed came before";

    private final DeadLetterControl control;

    public DeadLetterApi(DeadLetterControl control) {
        this.control = control;
    }

    @Override
    public Router router(Vertx vertx) {
        Router router = Router.router(vertx);
        router.get("/dead-letters").handler(ctx -> ApiAnswers.answer(ctx, this::list));
        router.post("/dead-letters/*").handler(BodyHandler.create(false).setBodyLimit(LARGEST_BODY));
        router.post("/dead-letters/retry").handler(ctx -> ApiAnswers.answer(ctx, this::retry));
        router.post("/dead-letters/discard").handler(ctx -> ApiAnswers.answer(ctx, this::discard));
        return router;
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        HttpServerRequest request = ctx.request();
        DeadLetterFilter filter = new DeadLetterFilter(
                request.getParam("consumer"),
                request.getParam("event"),
                ApiAnswers.number("from", request.getParam("from"), 0),
                ApiAnswers.number("to", request.getParam("to"), Long.MAX_VALUE));
        int limit = (int)
                Math.max(1, Math.min(LARGEST_PAGE, ApiAnswers.number("limit", request.getParam("limit"), USUAL_PAGE)));
        String after = request.getParam("after");
        int colon = after == null ? -1 : after.lastIndexOf(':');
        if (after == null || colon < 1) {
            return control.list(filter, "", 0, limit).map(letters -> page(letters, limit));
        }
        long seq = ApiAnswers.number("after", after.substring(colon + 1), 0) + 1;
        return control.list(filter, after.substring(0, colon), seq, limit).map(letters -> page(letters, limit));
    }

    private static JsonObject page(List<DeadLetter> letters, int limit) {
        JsonArray shown = new JsonArray();
        letters.forEach(letter -> shown.add(show(letter)));
        JsonObject page = new JsonObject().put("deadLetters", shown);
        if (letters.size() == limit) {
            DeadLetter last = letters.get(limit - 1);
            page.put("next", last.consumer() + ":" + last.push().seq());
        }
        return page;
    }

    private static JsonObject show(DeadLetter letter) {
        return new JsonObject()
                .put("consumer", letter.consumer())
                .put("seq", letter.push().seq())
                .put("event", letter.push().envelope().event())
                .put("endpoint", letter.push().endpoint())
                .put("bytes", letter.push().body().length)
                .put(
                        "receivedAt",
                        Instant.ofEpochMilli(letter.push().receivedAt()).toString())
                .put("attempts", letter.attempts())
                .put("first", show(letter.first()))
                .put("last", show(letter.last()));
    }

    private static JsonObject show(DeadLetter.Failure failure) {
        return new JsonObject()
                .put("at", Instant.ofEpochMilli(failure.at()).toString())
                .put("error", failure.error());
    }

    private Future<JsonObject> retry(RoutingContext ctx) {
        return control.retry(filter(ApiAnswers.body(ctx)))
                .map(count -> new JsonObject().put("retrying", count).put("order", ORDER));
    }

    private Future<JsonObject> discard(RoutingContext ctx) {
        JsonObject body = ApiAnswers.body(ctx);
        DeadLetterFilter filter = filter(body);
        String reason = ApiAnswers.text("reason", body.getValue("reason"));
        if (reason == null || reason.isBlank()) {
            throw new IllegalArgumentException("reason: found nothing, expected why they are discarded");
        }
        String line = reason.replaceAll("\\p{Cntrl}+", " ").strip();
        return control.discard(filter, line.substring(0, Math.min(line.length(), LONGEST_REASON)))
                .map(count -> new JsonObject().put("discarded", count));
    }

    private static DeadLetterFilter filter(JsonObject body) {
        List<String> known = List.of("consumer", "event", "seq", "from", "to", "all", "reason");
        for (String key : body.fieldNames()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException("found an unknown key " + key + ", expected one of " + known);
            }
        }
        Object seq = body.getValue("seq");
        DeadLetterFilter filter = new DeadLetterFilter(
                ApiAnswers.text("consumer", body.getValue("consumer")),
                ApiAnswers.text("event", body.getValue("event")),
                ApiAnswers.number("from", seq == null ? body.getValue("from") : seq, 0),
                ApiAnswers.number("to", seq == null ? body.getValue("to") : seq, Long.MAX_VALUE));
        if (filter.equals(DeadLetterFilter.ALL) && !"true".equals(String.valueOf(body.getValue("all")))) {
            throw new IllegalArgumentException(
                    "found nothing that says which, expected consumer, event, seq, from or to, or all: true");
        }
        return filter;
    }
}
