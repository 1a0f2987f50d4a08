package dev.holdfast.management;

import dev.holdfast.store.Audit;
import dev.holdfast.store.AuditEntry;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes what operators change, in the log and in the store, when it is done. Never blocks and never fails: what could not be
 * kept stands in the log. Any thread.
 */
public final class AuditTrail {
    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);
    private static final String ANONYMOUS = "anonymous";
    /** Of a request's data: the name of the token that let it in. */
    private static final String WHO = "holdfast.who";

    private final Audit audit;
    private final InstantSource clock;

    public AuditTrail(Audit audit, InstantSource clock) {
        this.audit = audit;
        this.clock = clock;
    }

    /** Whose request it is. */
    static void isOf(RoutingContext ctx, String who) {
        ctx.put(WHO, who);
    }

    /**
     * Something was done by a request.
     *
     * @param action such as {@code dead-letters.discard}
     * @param target what it was done to, in a line that is fit to be shown, such as {@link RequestValues#shown}
     * @param count how many it hit; null where nothing is counted
     * @param reason why; null where nobody was asked
     */
    void record(RoutingContext ctx, String action, String target, @Nullable Long count, @Nullable String reason) {
        String who = ctx.get(WHO, ANONYMOUS);
        record(who, ctx.request().remoteAddress().hostAddress(), action, target, count, reason);
    }

    /**
     * The same for what didn't come by a request.
     *
     * @param from the client's address, or what else it came by
     */
    public void record(
            String who, String from, String action, String target, @Nullable Long count, @Nullable String reason) {
        LOG.info(
                "{} of {}: {}{}{}",
                action,
                from.isEmpty() ? who : who + " from " + from,
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
     * Changes many things, and notes how many: also when it fails half-way, for what is done stays done.
     *
     * @param change blocks; counts, in what it is given, each that it has changed
     */
    <T> Future<T> recording(
            RoutingContext ctx, String action, String target, @Nullable String reason, Function<AtomicLong, T> change) {
        AtomicLong changed = new AtomicLong();
        return ctx.vertx().executeBlocking(() -> change.apply(changed), false).andThen((result, failure) -> {
            if (failure == null || changed.get() > 0) {
                record(ctx, action, target, changed.get(), reason);
            }
        });
    }
}
