package dev.holdfast.management;

import dev.holdfast.push.LogFields;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.DeadLetterSearch;
import dev.holdfast.store.DeadLetters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What consumers failed for good.
 *
 * <ul>
 *   <li>{@code GET /api/v1/dead-letters}: {@code consumer}, {@code event} ({@code client.*}), {@code seq} or {@code from} and
 *       {@code to}, {@code limit} and {@code cursor}
 *   <li>{@code GET /api/v1/dead-letters/CONSUMER/SEQ}: one with its body
 *   <li>{@code POST /api/v1/dead-letters/retry} and {@code /discard}: a JSON object with {@code consumer}, {@code event},
 *       {@code seq} or {@code from} and {@code to}; or {@code all: true}. A discard has a {@code reason}.
 * </ul>
 *
 * Only the answer of one holds its push's body. An error is kept without a message that quotes the push: with a string or a number
 * of its body, from five characters on, or twelve characters in a row. The messages of {@code PermanentFailure} and
 * {@code RetryLater} are shown as they are.
 */
public final class DeadLetterApi implements ApiPart {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterApi.class);
    private static final int DISCARDED_AT_ONCE = 256;
    /** What says which dead letters are meant. */
    private static final List<String> CHOICE = List.of("consumer", "event", "seq", "from", "to");

    private static final List<String> LIST_KEYS = RequestValues.keys(CHOICE, "limit", Cursor.KEY);
    private static final List<String> RETRY_KEYS = RequestValues.keys(CHOICE, "all", "dryRun");
    private static final List<String> DISCARD_KEYS = RequestValues.keys(CHOICE, "all", "dryRun", "reason");
    /** What says in the audit which are meant. */
    private static final List<String> TARGET = RequestValues.keys(CHOICE, "all");

    /** Whose, and which. */
    private static final Cursor CURSOR = new Cursor("dead-letters", "(.+):(\\d{1,18})");

    private static final String ORDER =
            "in the order of their lanes, beside what waits there; what a lane has handled since they failed came before";

    private final WorkerExecutor searchers;
    private final DeadLetters letters;
    private final DeadLetterSearch search;
    private final DeliveryControl delivery;
    private final AuditTrail audit;

    public DeadLetterApi(Vertx vertx, DeadLetters letters, DeliveryControl delivery, AuditTrail audit) {
        this.searchers = PushApi.searchers(vertx);
        this.letters = letters;
        this.search = new DeadLetterSearch(letters);
        this.delivery = delivery;
        this.audit = audit;
    }

    @Override
    public void addTo(Router router) {
        BodyHandler body = ApiAnswers.bodies();
        router.get("/dead-letters").handler(ctx -> ApiAnswers.answer(ctx, this::list));
        router.post("/dead-letters/retry").handler(body).handler(ctx -> ApiAnswers.answer(ctx, this::retry));
        router.post("/dead-letters/discard").handler(body).handler(ctx -> ApiAnswers.answer(ctx, this::discard));
        router.get("/dead-letters/:consumer/:seq").handler(ctx -> ApiAnswers.answer(ctx, this::get));
    }

    private Future<JsonObject> list(RoutingContext ctx) {
        RequestValues query = RequestValues.ofQuery(ctx, LIST_KEYS);
        int limit = query.limit();
        Optional<MatchResult> place = CURSOR.read(query);
        String consumer = place.map(found -> found.group(1)).orElse("");
        long seq = place.map(found -> Long.parseLong(found.group(2)) - 1).orElse(Long.MAX_VALUE);
        DeadLetterFilter filter = filter(query);
        return searching(() -> {
            mustBeKnown(query, filter);
            return page(search.newest(filter, consumer, seq, limit, DeadLetterApi::show), limit);
        });
    }

    private static JsonObject page(List<JsonObject> letters, int limit) {
        JsonObject page = new JsonObject().put("deadLetters", new JsonArray(letters));
        if (letters.size() == limit) {
            JsonObject last = letters.get(limit - 1);
            page.put("next", CURSOR.write(last.getString("consumer") + ":" + last.getLong("seq")));
        }
        return page;
    }

    private Future<JsonObject> get(RoutingContext ctx) {
        RequestValues path = RequestValues.ofPath(ctx);
        String consumer = String.valueOf(path.text("consumer"));
        long seq = path.position("seq", 0);
        return ctx.vertx()
                .executeBlocking(
                        () -> letters.get(consumer, seq)
                                .map(letter -> show(letter)
                                        .put("contentType", letter.push().head().contentType())
                                        .put("body", PushView.body(letter.push())))
                                .orElseThrow(() -> new ApiAnswers.NotFound("found no dead letter of "
                                        + RequestValues.shown(consumer) + " and push " + seq)),
                        false);
    }

    private static JsonObject show(DeadLetter letter) {
        PushRecord push = letter.push();
        return new JsonObject()
                .put("consumer", letter.consumer())
                .put("seq", push.seq())
                .put("event", push.envelope().event())
                .put("id", PushView.unlessEmpty(push.envelope().id()))
                .put("enterprise", PushView.unlessEmpty(push.envelope().enterpriseToken()))
                .put("endpoint", push.endpoint())
                .put("bytes", push.body().length)
                .put("receivedAt", PushView.time(push.receivedAt()))
                .put("attempts", letter.attempts())
                .put("first", show(letter.first()))
                .put("last", show(letter.last()));
    }

    private static JsonObject show(DeadLetter.Failure failure) {
        return new JsonObject().put("at", PushView.time(failure.at())).put("error", failure.error());
    }

    private Future<JsonObject> retry(RoutingContext ctx) {
        RequestValues body = RequestValues.ofBody(ctx, RETRY_KEYS);
        DeadLetterFilter filter = chosen(body);
        boolean dryRun = body.flag("dryRun");
        Set<String> running = delivery.running();
        return searching(() -> {
                    mustBeKnown(body, filter);
                    return counts(filter);
                })
                .compose(counts -> {
                    SortedMap<String, Long> staying = new TreeMap<>(counts);
                    staying.keySet().removeAll(running);
                    counts.keySet().removeAll(staying.keySet());
                    JsonObject answer = answer(counts, staying);
                    return counts.isEmpty() || dryRun
                            ? Future.succeededFuture(answer)
                            : delivery.retry(filter, counts.keySet()).map(replay -> {
                                audit.record(ctx, "dead-letters.retry", body.shown(TARGET), sum(counts), null);
                                return answer.put("replay", replay.id());
                            });
                });
    }

    /** How many match of each consumer that has any. Blocks. */
    private SortedMap<String, Long> counts(DeadLetterFilter filter) {
        SortedMap<String, Long> counts = new TreeMap<>();
        letters.consumers().stream()
                .filter(name -> filter.consumer() == null || filter.consumer().equals(name))
                .forEach(name -> counts.put(name, search.count(filter.of(name, filter.to()))));
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    private JsonObject answer(Map<String, Long> retrying, Map<String, Long> staying) {
        JsonArray shown = new JsonArray();
        Set<String> configured = delivery.wants().keySet();
        staying.forEach((consumer, count) -> shown.add(new JsonObject()
                .put("consumer", consumer)
                .put("count", count)
                .put("because", configured.contains(consumer) ? "it is not running" : "it is not configured")));
        return new JsonObject()
                .put("retrying", sum(retrying))
                .put("staying", shown)
                .put("order", ORDER);
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private Future<JsonObject> discard(RoutingContext ctx) {
        RequestValues body = RequestValues.ofBody(ctx, DISCARD_KEYS);
        String reason = body.reason();
        DeadLetterFilter filter = chosen(body);
        Future<Long> count = body.flag("dryRun")
                ? searching(() -> {
                    mustBeKnown(body, filter);
                    return search.count(filter);
                })
                : audit.recording(ctx, "dead-letters.discard", body.shown(TARGET), reason, discarded -> {
                    mustBeKnown(body, filter);
                    discard(filter, reason, discarded);
                    return discarded.get();
                });
        return count.map(discarded -> new JsonObject().put("discarded", discarded));
    }

    /** Also those that are being retried. Blocks. */
    private void discard(DeadLetterFilter filter, String reason, AtomicLong discarded) {
        List<CompletableFuture<Void>> removals = new ArrayList<>();
        try {
            search.walk(filter, letter -> {
                removals.add(letters.discard(letter.consumer(), letter.push().seq(), reason)
                        .thenRun(discarded::incrementAndGet)
                        .toCompletableFuture());
                LogFields.of(LOG.atInfo(), letter.consumer(), letter.push())
                        .log("{}: dead letter of {} discarded: {}", letter.consumer(), letter.push(), reason);
                if (removals.size() >= DISCARDED_AT_ONCE) {
                    settle(removals);
                }
                return true;
            });
        } finally {
            settle(removals);
        }
    }

    /** Waits for all of them, also where one has failed: each is counted that is gone. */
    private static void settle(List<CompletableFuture<Void>> removals) {
        CompletableFuture<Void> all = CompletableFuture.allOf(removals.toArray(CompletableFuture[]::new));
        removals.clear();
        all.join();
    }

    private <T> Future<T> searching(Callable<T> search) {
        return searchers.executeBlocking(search, false);
    }

    private static DeadLetterFilter chosen(RequestValues body) {
        body.mustChoose(CHOICE, "dead letters");
        return filter(body);
    }

    /** A name that nobody has is a slip, not a consumer without dead letters. Blocks. */
    private void mustBeKnown(RequestValues fields, DeadLetterFilter filter) {
        if (filter.consumer() == null) {
            return;
        }
        SortedSet<String> names = new TreeSet<>(letters.consumers());
        names.addAll(delivery.wants().keySet());
        if (!names.contains(filter.consumer())) {
            throw fields.wrong("consumer", "one that is configured or has dead letters: " + names);
        }
    }

    private static DeadLetterFilter filter(RequestValues fields) {
        RequestValues.Range positions = fields.range("seq", "a position");
        return new DeadLetterFilter(fields.text("consumer"), fields.events("event"), positions.from(), positions.to());
    }
}
