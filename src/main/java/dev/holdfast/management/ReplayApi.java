package dev.holdfast.management;

import dev.holdfast.journal.Journal;
import dev.holdfast.journal.PushPages;
import dev.holdfast.management.ApiAnswers.Failure;
import dev.holdfast.push.PushFilter;
import dev.holdfast.store.Replay;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Delivering pushes of the journal again.
 *
 * <ul>
 *   <li>{@code POST /api/v1/replays}: a JSON object of the keys that choose pushes, {@code consumer}, {@code rate}; with none of
 *       these that chooses, {@code all: true}. {@code dryRun: true} only counts, for about a second at the longest
 *   <li>{@code GET /api/v1/replays}: those on their way and the last ones that were, the newest first; {@code POST
 *       /api/v1/replays/ID/stop} with an empty JSON object
 * </ul>
 */
public final class ReplayApi implements ApiPart {
    private static final int USUAL_RATE = 500;
    private static final int HIGHEST_RATE = 100_000;
    /** The keys that choose pushes and whom they are for. */
    private static final List<String> CHOICE = RequestValues.keys(PushApi.CHOICE, "consumer");

    private static final List<String> KEYS = RequestValues.keys(CHOICE, "all", "rate", "dryRun");

    private final Journal journal;
    private final PushPages pages;
    private final DeliveryControl delivery;
    private final AuditTrail audit;

    public ReplayApi(Journal journal, PushPages pages, DeliveryControl delivery, AuditTrail audit) {
        this.journal = journal;
        this.pages = pages;
        this.delivery = delivery;
        this.audit = audit;
    }

    @Override
    public void addTo(ApiRoutes routes) {
        routes.get("/replays", this::replays);
        routes.post("/replays", KEYS, this::replay);
        routes.post("/replays/:id/stop", List.of(), this::stop);
    }

    private Future<JsonObject> replay(RequestValues body) {
        PushFilter filter = PushApi.filter(body);
        long newest = journal.lastSeq();
        if (filter.from() > Math.max(1, newest)) {
            // Pushes that come later are delivered anyway.
            throw body.wrong("from", "a position up to " + newest + ", the newest in the journal");
        }
        String consumer = body.text("consumer");
        int rate = (int) body.number("rate", 1, HIGHEST_RATE, USUAL_RATE);
        Map<String, Predicate<String>> consumers = consumers(body, consumer);
        if (body.isDryRun()) {
            return body.searching(() -> show(count(filter, consumers.values())));
        }
        body.mustChoose(CHOICE, "pushes");
        if (consumers.isEmpty()) {
            throw new IllegalArgumentException("consumer: found none, expected one that is configured: []");
        }
        return delivery.replay(filter, consumers.keySet(), rate).map(replay -> {
            audit.record(body, "replays.begin", body.target(), null, null);
            return show(new ReplayState(replay, ReplayState.Stage.RUNNING, List.of()));
        });
    }

    /** Which it is for, and what they want. */
    private Map<String, Predicate<String>> consumers(RequestValues body, @Nullable String consumer) {
        Map<String, Predicate<String>> wants = delivery.wants();
        if (consumer != null && !wants.containsKey(consumer)) {
            throw body.wrong("consumer", "one that is configured: " + new TreeSet<>(wants.keySet()));
        }
        return consumer == null ? wants : Map.of(consumer, wants.get(consumer));
    }

    /** For each push that matches and that the search gets to: how many of the consumers want it. Blocks. */
    private PushPages.Page<Long> count(PushFilter filter, Collection<Predicate<String>> consumers) {
        return pages.page(filter, PushPages.Order.NEWEST, 0, Integer.MAX_VALUE, push -> {
            String event = push.envelope().event();
            return consumers.stream().filter(wants -> wants.test(event)).count();
        });
    }

    /** How many pushes somebody wants, how often they would be delivered, and how far that was counted. */
    static JsonObject show(PushPages.Page<Long> page) {
        return new JsonObject()
                .put(
                        "pushes",
                        page.pushes().stream()
                                .filter(deliveries -> deliveries > 0)
                                .count())
                .put(
                        "deliveries",
                        page.pushes().stream().mapToLong(Long::longValue).sum())
                .put("more", page.next() > 0)
                .put("searched", PushApi.searched(page));
    }

    private Future<JsonObject> replays(RequestValues none) {
        return delivery.replays().map(replays -> {
            List<ReplayState> newestFirst = new ArrayList<>(replays);
            Collections.reverse(newestFirst);
            return new JsonObject().put("replays", ApiJson.array(newestFirst, ReplayApi::show));
        });
    }

    private Future<JsonObject> stop(RequestValues path) {
        String id = path.ctx().pathParam("id");
        return delivery.stopReplay(id).map(found -> {
            if (!found) {
                throw Failure.notFound("found no replay " + RequestValues.shown(id) + " on its way");
            }
            audit.record(path, "replays.stop", RequestValues.shown(id), null, null);
            return new JsonObject().put("stopped", true);
        });
    }

    /**
     * Shows the filter under the names that a request uses, except for the push's {@code id}: here that is the replay's
     * own.
     */
    private static JsonObject show(ReplayState state) {
        Replay replay = state.replay();
        PushFilter filter = replay.filter();
        boolean ofJournal = replay.source() == Replay.Source.JOURNAL;
        return ApiJson.present(new JsonObject()
                .put("id", replay.id())
                .put("of", ofJournal ? "pushes" : "dead-letters")
                .put("state", ApiJson.label(state.stage()))
                .put("from", filter.from())
                .put("to", filter.to())
                .put("delivered", sum(replay, Replay.Progress::delivered))
                .put("failed", sum(replay, Replay.Progress::failed))
                .put("consumers", ApiJson.array(replay.progress(), progress -> show(replay, progress)))
                .put("rate", ofJournal ? replay.rate() : null)
                .put("event", filter.event())
                .put("enterprise", filter.enterprise())
                .put("endpoint", filter.endpoint())
                .put("pushId", filter.id())
                .put("since", filter.since() == PushFilter.ALL.since() ? null : ApiJson.time(filter.since()))
                .put("until", filter.until() == PushFilter.ALL.until() ? null : ApiJson.time(filter.until()))
                .put("awaited", state.awaited().isEmpty() ? null : new JsonArray(state.awaited())));
    }

    private static long sum(Replay replay, ToLongFunction<Replay.Progress> count) {
        return replay.progress().stream().mapToLong(count).sum();
    }

    private static JsonObject show(Replay replay, Replay.Progress progress) {
        return new JsonObject()
                .put("name", progress.consumer())
                .put("next", progress.next())
                .put("done", replay.isDone(progress))
                .put("delivered", progress.delivered())
                .put("failed", progress.failed());
    }
}
