package dev.holdfast.management;

import dev.holdfast.store.Audit;
import dev.holdfast.store.AuditEntry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes in the log and in the store what operators change, after it is done. Never blocks and never fails: what can't
 * be stored is logged. Any thread. {@code GET /api/v1/audit} shows it, newest first, {@code limit} from {@code cursor}
 * on.
 */
public final class AuditTrail implements ApiPart {
    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);
    private static final String ANONYMOUS = "anonymous";
    /** Key in a request's data: the name of the token that let it in. */
    private static final String WHO = "holdfast.who";

    private static final Cursor CURSOR = new Cursor("audit", "(\\d{1,18})");

    private final Audit audit;
    private final InstantSource clock;

    public AuditTrail(Audit audit, InstantSource clock) {
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public void addTo(ApiRoutes routes) {
        routes.get("/audit", Cursor.KEYS, this::list);
    }

    private Future<JsonObject> list(RequestValues query) {
        int limit = query.limit();
        long below =
                CURSOR.read(query).map(place -> Long.valueOf(place.group(1))).orElse(Long.MAX_VALUE);
        return query.blocking(() -> CURSOR.page(
                "actions", audit.newest(below, limit), limit, line -> show(line.entry()), Audit.Line::number));
    }

    private static JsonObject show(AuditEntry entry) {
        return ApiJson.present(new JsonObject()
                .put("at", ApiJson.time(entry.at()))
                .put("who", entry.who())
                .put("from", entry.from())
                .put("action", entry.action())
                .put("target", entry.target())
                .put("count", entry.count())
                .put("reason", entry.reason()));
    }

    /** Notes whose request it is. */
    static void isOf(RoutingContext ctx, String who) {
        ctx.put(WHO, who);
    }

    /**
     * Notes that a request did something.
     *
     * @param action such as {@code dead-letters.discard}
     * @param target what it was done to, in a line that is fit to be shown, such as {@link RequestValues#target}
     * @param count how many it hit; null where nothing is counted
     * @param reason why; null where nobody was asked
     */
    void record(RequestValues request, String action, String target, @Nullable Long count, @Nullable String reason) {
        RoutingContext ctx = request.ctx();
        String who = ctx.get(WHO, ANONYMOUS);
        String from = ctx.request().remoteAddress().hostAddress();
        LOG.info(
                "{} of {} from {}: {}{}{}",
                action,
                who,
                from,
                target,
                count == null ? "" : ", " + count + " of them",
                reason == null ? "" : ", because: " + reason);
        var unused = audit.add(new AuditEntry(clock.millis(), who, from, action, target, count, reason))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.warn("{} of {} can't be kept in the audit: {}", action, who, failure.getMessage());
                    }
                });
    }

    /**
     * Changes many things, and notes how many. Also when it fails half-way: what is done stays done.
     *
     * @param change blocks; adds to the given counter each thing that it has changed
     */
    <T> Future<T> recording(
            RequestValues request, String action, @Nullable String reason, Function<AtomicLong, T> change) {
        AtomicLong changed = new AtomicLong();
        return request.blocking(() -> change.apply(changed)).andThen((result, failure) -> {
            if (failure == null || changed.get() > 0) {
                record(request, action, request.target(), changed.get(), reason);
            }
        });
    }

    /**
     * Gives many things up, or only counts them for a dry run.
     *
     * @param count blocks
     * @param discard as of {@link #recording}; how many it has given up
     */
    Future<JsonObject> discarding(
            RequestValues request, String action, Callable<Long> count, ToLongFunction<AtomicLong> discard) {
        String reason = request.reason();
        Future<Long> discarded = request.isDryRun()
                ? request.searching(count)
                : recording(request, action, reason, discard::applyAsLong);
        return discarded.map(number -> new JsonObject().put("discarded", number));
    }
}
