package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The pushes that come in: from memory while the consumer keeps up, read from the journal while it lags. Who catches up while
 * pushes come in gets a share of the machine: half as many again as come in, and so many a second. On the delivery's event
 * loop.
 */
final class LiveFeed extends Feed {
    private static final double EARNED_BY_EACH = 1.5;
    private static final int RATE_A_PROCESSOR = 750;
    private static final int BURST = 1_000;

    private final Predicate<PushRecord> subscribed;
    private final Set<Long> settled;
    /** The newest position known here. What is committed but not offered yet is on its way, and not to be read. */
    private long offered;

    /** @param subscribed any thread */
    LiveFeed(
            Resumption start,
            LaneKeys keys,
            Limits limits,
            DeliveryContext delivery,
            Predicate<PushRecord> subscribed,
            CircuitBreaker breaker,
            Runnable onReady) {
        super(
                Kind.LIVE,
                start,
                delivery.journal(),
                keys,
                limits,
                delivery,
                breaker,
                share(delivery.vertx(), onReady),
                onReady);
        this.subscribed = subscribed;
        this.settled = start.deadLetters();
        this.offered = delivery.journal().lastSeq();
    }

    private static RateLimiter share(Vertx vertx, Runnable onMore) {
        RateLimiter share =
                new RateLimiter(RATE_A_PROCESSOR * Runtime.getRuntime().availableProcessors(), BURST, vertx, onMore);
        share.earn(BURST);
        return share;
    }

    /** Just-committed pushes. */
    void committed(List<PushRecord> pushes) {
        cameIn(pushes.get(pushes.size() - 1).seq());
        offer(pushes);
    }

    private void cameIn(long last) {
        rate().earn(EARNED_BY_EACH * Math.max(0, last - offered));
        offered = Math.max(offered, last);
    }

    /** Looks for pushes up to {@code last} that were never offered. */
    void tick(long last) {
        cameIn(last);
        tick();
    }

    @Override
    long end() {
        return offered;
    }

    /** A crash came between a dead letter and its checkpoint: it is one, and nothing is left to do. */
    @Override
    boolean wants(PushRecord push) {
        return subscribed.test(push) && (settled.isEmpty() || !settled.contains(push.seq()));
    }

    @Override
    long closedFrom(String lane) {
        return checkpoints().front() + 1;
    }

    @Override
    boolean isLimited() {
        return delivery().receiving().getAsBoolean();
    }
}
