package dev.holdfast.management;

import dev.holdfast.management.ApiAnswers.Failure;
import dev.holdfast.push.LogFields;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.DeadLetterSearch;
import dev.holdfast.store.DeadLetters;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What consumers failed for good.
 *
 * <ul>
 *   <li>{@code GET /api/v1/dead-letters}: {@code consumer}, {@code event} ({@code client.*}), {@code seq} or {@code from} and
 *       {@code to}, {@code limit} and {@code cursor}
 *   <li>{@code GET /api/v1/dead-letters/CONSUMER/SEQ}: one with its body
 *   <li>{@code POST /api/v1/dead-letters/retry} and {@code /discard}: a JSON object with {@code consumer}, {@code event},
 *       {@code seq} or {@code from} and {@code to}; or {@code all: true}. A discard has a {@code reason}, takes with {@code failedBefore}
 *       none that failed last at that time or later, and of many answers with {@code more: true}: the same request goes on
 * </ul>
 *
 * Only the answer of one holds its push's body. An error is kept without a message that quotes the push: with a string or a number
 * of its body, from five characters on, or twelve characters in a row. The messages of {@code PermanentFailure} and
 * {@code RetryLater} are shown as they are.
 */
public final class DeadLetterApi implements ApiPart {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterApi.class);
    private static final int DISCARDED_AT_ONCE = 256;
    /** So many are discarded for one answer, which takes some seconds. */
    private static final int PORTION = 10_000;
    /** The keys that choose dead letters. */
    private static final List<String> CHOICE = List.of("consumer", "event", "seq", "from", "to");

    private static final List<String> LIST_KEYS = RequestValues.keys(CHOICE, "limit", Cursor.KEY);
    private static final List<String> RETRY_KEYS = RequestValues.keys(CHOICE, "all", "dryRun");
    private static final List<String> DISCARD_KEYS =
            RequestValues.keys(CHOICE, "all", "dryRun", "reason", "failedBefore");

    /** A place in the list of dead letters: consumer and position. */
    private static final Cursor CURSOR = new Cursor("dead-letters", "(.+):(\\d{1,18})");

    private static final String ORDER =
            "in order within each lane, beside what waits there, and behind what was handled since they failed";

    private final DeadLetters letters;
    private final DeadLetterSearch search;
    private final DeliveryControl delivery;
    private final AuditTrail audit;

    public DeadLetterApi(DeadLetters letters, DeliveryControl delivery, AuditTrail audit) {
        this.letters = letters;
        this.search = new DeadLetterSearch(letters);
        this.delivery = delivery;
        this.audit = audit;
    }

    @Override
    public void addTo(ApiRoutes routes) {
        routes.get("/dead-letters", LIST_KEYS, this::list);
        routes.post("/dead-letters/retry", RETRY_KEYS, this::retry);
        routes.post("/dead-letters/discard", DISCARD_KEYS, this::discard);
        routes.getLarge("/dead-letters/:consumer/:seq", this::get);
    }

    private Future<JsonObject> list(RequestValues query) {
        int limit = query.limit();
        Optional<MatchResult> place = CURSOR.read(query);
        String consumer = place.map(found -> found.group(1)).orElse("");
        long seq = place.map(found -> Long.parseLong(found.group(2)) - 1).orElse(Long.MAX_VALUE);
        DeadLetterFilter filter = filter(query);
        return query.searching(() -> CURSOR.page(
                "deadLetters",
                search.newest(known(query, filter), consumer, seq, limit, DeadLetterApi::show),
                limit,
                shown -> shown,
                last -> last.getString("consumer") + ":" + last.getLong("seq")));
    }

    private Future<JsonObject> get(RequestValues path) {
        String consumer = path.ctx().pathParam("consumer");
        long seq = path.position("seq", 0);
        return path.blocking(() -> letters.get(consumer, seq)
                .map(letter -> show(letter)
                        .put("contentType", letter.push().head().contentType())
                        .put("body", ApiJson.base64(letter.push().body())))
                .orElseThrow(() -> Failure.notFound(
                        "found no dead letter of " + RequestValues.shown(consumer) + " and push " + seq)));
    }

    private static JsonObject show(DeadLetter letter) {
        PushRecord push = letter.push();
        return new JsonObject()
                .put("consumer", letter.consumer())
                .put("seq", push.seq())
                .put("event", push.envelope().event())
                .put("id", ApiJson.unlessEmpty(push.envelope().id()))
                .put("enterprise", ApiJson.unlessEmpty(push.envelope().enterpriseToken()))
                .put("endpoint", push.endpoint())
                .put("bytes", push.body().length)
                .put("receivedAt", ApiJson.time(push.receivedAt()))
                .put("attempts", letter.attempts())
                .put("first", show(letter.first()))
                .put("last", show(letter.last()));
    }

    private static JsonObject show(DeadLetter.Failure failure) {
        return new JsonObject().put("at", ApiJson.time(failure.at())).put("error", failure.error());
    }

    private Future<JsonObject> retry(RequestValues body) {
        DeadLetterFilter filter = chosen(body);
        boolean dryRun = body.isDryRun();
        Set<String> running = delivery.running();
        return body.searching(() -> counts(known(body, filter))).compose(counts -> {
            SortedMap<String, Long> staying = new TreeMap<>(counts);
            staying.keySet().removeAll(running);
            counts.keySet().removeAll(staying.keySet());
            JsonObject answer = answer(counts, staying);
            return counts.isEmpty() || dryRun
                    ? Future.succeededFuture(answer)
                    : delivery.retry(filter, counts.keySet()).map(replay -> {
                        audit.record(body, "dead-letters.retry", body.target(), sum(counts), null);
                        return answer.put("replay", replay.id());
                    });
        });
    }

    /** How many match, by consumer; consumers without any are left out. Blocks. */
    private SortedMap<String, Long> counts(DeadLetterFilter filter) {
        SortedMap<String, Long> counts = new TreeMap<>();
        letters.consumers().stream()
                .filter(filter::mayHave)
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

    private Future<JsonObject> discard(RequestValues body) {
        DeadLetterFilter filter = chosen(body);
        AtomicBoolean more = new AtomicBoolean();
        return audit.discarding(
                        body,
                        "dead-letters.discard",
                        () -> search.count(known(body, filter)),
                        discarded -> discard(known(body, filter), body.reason(), discarded, more))
                .map(answer -> more.get() ? answer.put("more", true) : answer);
    }

    /** Discards those that match, also those that are being retried. Blocks. */
    private long discard(DeadLetterFilter filter, String reason, AtomicLong discarded, AtomicBoolean more) {
        List<CompletableFuture<Void>> removals = new ArrayList<>();
        try {
            search.walk(filter, letter -> {
                if (removals.isEmpty() && discarded.get() >= PORTION) {
                    more.set(true);
                    return false;
                }
                LoggingEventBuilder line = line(letter, reason);
                removals.add(letters.discard(letter.consumer(), letter.push().seq(), reason)
                        .thenAccept(found -> {
                            // Another discard or a retry may have been faster.
                            if (found) {
                                discarded.incrementAndGet();
                                line.log();
                            }
                        })
                        .toCompletableFuture());
                if (removals.size() >= DISCARDED_AT_ONCE) {
                    settle(removals);
                }
                return true;
            });
        } finally {
            settle(removals);
        }
        return discarded.get();
    }

    /** The line for when it is durable; until then nothing holds the letter's body. */
    private static LoggingEventBuilder line(DeadLetter letter, String reason) {
        return LogFields.of(LOG.atInfo(), letter.consumer(), letter.push())
                .setMessage("{}: dead letter of {} discarded: {}")
                .addArgument(letter.consumer())
                .addArgument(letter.push().toString())
                .addArgument(reason);
    }

    /** Waits for all removals, also after one has failed, so that each letter that is gone is counted. */
    private static void settle(List<CompletableFuture<Void>> removals) {
        CompletableFuture<Void> all = CompletableFuture.allOf(removals.toArray(CompletableFuture[]::new));
        removals.clear();
        all.join();
    }

    private static DeadLetterFilter chosen(RequestValues body) {
        body.mustChoose(CHOICE, "dead letters");
        return filter(body);
    }

    /**
     * Checks that the filter's consumer is known: an unknown name is a slip, not a consumer without dead letters.
     * Blocks.
     */
    private DeadLetterFilter known(RequestValues fields, DeadLetterFilter filter) {
        SortedSet<String> names = new TreeSet<>(letters.consumers());
        names.addAll(delivery.wants().keySet());
        if (filter.consumer() != null && !names.contains(filter.consumer())) {
            throw fields.wrong("consumer", "one that is configured or has dead letters: " + names);
        }
        return filter;
    }

    private static DeadLetterFilter filter(RequestValues fields) {
        RequestValues.Range positions = fields.range("seq", "a position");
        return new DeadLetterFilter(
                fields.text("consumer"),
                fields.events("event"),
                positions.from(),
                positions.to(),
                fields.instant("failedBefore", Long.MAX_VALUE));
    }
}
