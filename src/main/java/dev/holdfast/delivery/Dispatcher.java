package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.LastFailure;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.delivery.Lane.Entry;
import dev.holdfast.delivery.Lane.State;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush.RetryState;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the pushes of a consumer's feeds to it. Lanes take turns: a turn reads back what the lane lacks, sends a batch, and
 * ends when what became of each push of it is settled. At most {@code concurrency} lanes have their turn at a time, none on
 * two feeds at once. On the delivery's event loop.
 */
final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    /**
     * A consumer times its own calls, that of a push and that of the commit behind it; beyond both, this is for one that
     * doesn't come back at all.
     */
    private static final long GRACE_MILLIS = 5_000;

    private final ConsumerConfig config;
    private final ConsumerContext consumer;
    private final DeliveryContext delivery;
    private final DeliveryMeters meters;
    private final CircuitBreaker breaker;
    private final RetryPolicy policy;
    private final DeadLetterWriter deadLetters;
    private final DeliveryOptions options;
    private final int maxBatch;
    private final long maxBatchBytes;
    private final List<Feed> feeds = new ArrayList<>();
    /** How many batches each of the consumer's instances has under way. */
    private final int[] atWork;
    /** Pushes whose dead letter could not be kept, as far as it was told. */
    private final Set<Long> doubtful = new HashSet<>();

    private @Nullable LastFailure lastFailure;
    private boolean stopped;
    private int underWay;
    private int turn;

    Dispatcher(
            ConsumerConfig config,
            ConsumerContext consumer,
            DeliveryContext delivery,
            DeliveryMeters meters,
            CircuitBreaker breaker) {
        this.config = config;
        this.consumer = consumer;
        this.delivery = delivery;
        this.meters = meters;
        this.breaker = breaker;
        this.policy = new RetryPolicy(
                config.retry(), () -> ThreadLocalRandom.current().nextDouble());
        this.deadLetters = new DeadLetterWriter(config.name(), delivery, meters);
        this.options = new DeliveryOptions()
                .setLocalOnly(true)
                .setSendTimeout(2 * config.timeout().toMillis() + GRACE_MILLIS);
        this.maxBatch = delivery.limits().batch(config.concurrency());
        this.maxBatchBytes = Limits.batchBytes(config.concurrency());
        this.atWork = new int[config.instances()];
    }

    /** From now on brings the pushes of this feed too. */
    void add(Feed feed) {
        feeds.add(feed);
    }

    /** A feed that is stopped is forgotten, as soon as nothing of it is under way. */
    void remove(Feed feed) {
        if (feed.isStopped() && !feed.lanes().isAtWork()) {
            feeds.remove(feed);
        }
    }

    /** Sends nothing more. */
    void stop() {
        stopped = true;
        feeds.forEach(Feed::stop);
    }

    /** Lanes that have their turn. */
    int underWay() {
        return underWay;
    }

    /** What went wrong last; null: nothing yet. */
    @Nullable
    LastFailure lastFailure() {
        return lastFailure;
    }

    /** Now and then: lanes that fill the memory and don't come on make room where others could. */
    void tick() {
        for (Feed feed : feeds) {
            if (feed.isStalled() && underWay < config.concurrency() && !breaker.failsEverything()) {
                feed.lanes().overflow();
                feed.advanced();
            }
        }
    }

    /** Sends what may be sent. */
    void run() {
        boolean sent = true;
        while (sent && !stopped && underWay < config.concurrency()) {
            sent = false;
            for (int tried = 0; !sent && tried < feeds.size(); tried++) {
                turn = (turn + 1) % feeds.size();
                sent = begin(feeds.get(turn));
            }
        }
    }

    /** Lets a lane of a feed have its turn; false when none may. */
    private boolean begin(Feed feed) {
        if (feed.scheduler().isEmpty() || feed.allowance() == 0) {
            return false;
        }
        boolean fresh = feed.scheduler().hasFresh() && underWay < CircuitBreaker.THRESHOLD;
        boolean permitted = breaker.permits(fresh);
        Lane lane = permitted ? next(feed) : nextThatWorks(feed);
        if (lane != null) {
            begin(feed, lane);
        } else if (permitted) {
            breaker.unused();
        }
        return lane != null;
    }

    private @Nullable Lane next(Feed feed) {
        while (!feed.scheduler().isEmpty()) {
            Lane lane = feed.scheduler().next(!breaker.isClosed());
            if (mayGo(feed, lane)) {
                return lane;
            }
        }
        return null;
    }

    private @Nullable Lane nextThatWorks(Feed feed) {
        for (String key : breaker.working()) {
            Lane lane = feed.lanes().get(key);
            if (feed.scheduler().takeFresh(lane) && lane != null && mayGo(feed, lane)) {
                return lane;
            }
        }
        return null;
    }

    private boolean mayGo(Feed feed, Lane lane) {
        if (isAtWork(lane.key()) || lane.firstUndone() >= feed.closedFrom(lane.key())) {
            lane.becomes(State.HELD);
            return false;
        }
        return true;
    }

    /** Whether a lane has its turn, on whichever feed; the one that is asked for has not. */
    private boolean isAtWork(String key) {
        for (int i = 0; feeds.size() > 1 && i < feeds.size(); i++) {
            Lane lane = feeds.get(i).lanes().get(key);
            if (lane != null && lane.state() == State.IN_FLIGHT) {
                return true;
            }
        }
        return false;
    }

    private void begin(Feed feed, Lane lane) {
        feed.lanes().begun(lane);
        underWay++;
        // Whatever throws on the way is a failure of this turn, which ends: else its slot and its lane were taken for
        // ever.
        Future.<Void>succeededFuture()
                .compose(begun -> feed.load(lane))
                .compose(loaded -> attempt(feed, lane))
                .recover(failure -> {
                    LOG.warn("{}: a turn of a lane came to nothing, and is tried again", config.name(), failure);
                    breaker.unused();
                    return Future.succeededFuture(policy.delayMillis(1));
                })
                .onSuccess(delay -> ended(feed, lane, delay));
    }

    /** A lane's turn is over; the same lane may have one on another feed. */
    private void ended(Feed feed, Lane lane, long delay) {
        underWay--;
        feed.lanes().ended(lane, delay);
        for (int i = 0; feeds.size() > 1 && i < feeds.size(); i++) {
            feeds.get(i).lanes().wake(feeds.get(i).lanes().get(lane.key()));
        }
        feed.advanced();
        remove(feed);
        run();
    }

    /** @return milliseconds until the lane's next turn; 0: at once */
    private Future<Long> attempt(Feed feed, Lane lane) {
        int most = Math.min(feed.allowance(), breaker.isClosed() ? maxBatch : 1);
        List<PushRecord> pushes = lane.begin(most, maxBatchBytes, feed.closedFrom(lane.key()));
        if (pushes.isEmpty()) {
            breaker.unused();
            return Future.succeededFuture(0L);
        }
        feed.sent(pushes.size());
        PushBatch batch = batch(feed, lane, pushes);
        int instance = leastBusy();
        atWork[instance]++;
        return delivery.bus()
                .request(consumer.address(instance), batch, options)
                .map(Message::body)
                .transform(receipt -> {
                    atWork[instance]--;
                    return receipt.succeeded()
                            ? answered(feed, lane, pushes, receipt.result())
                            : missed(lane, pushes, !batch.withdraw(), receipt.cause(), feed);
                });
    }

    private PushBatch batch(Feed feed, Lane lane, List<PushRecord> pushes) {
        Iterator<Entry> entries = lane.entries().iterator();
        List<Push> batch = new ArrayList<>(pushes.size());
        for (PushRecord push : pushes) {
            RetryState retry = entries.next().retry();
            int attempt = retry == null ? 1 : retry.attempts() + 1;
            batch.add(new Push(push, delivery.businessData(), attempt, feed.isReplay()));
        }
        return new PushBatch(batch);
    }

    private int leastBusy() {
        int least = 0;
        for (int i = 1; i < atWork.length; i++) {
            least = atWork[i] < atWork[least] ? i : least;
        }
        return least;
    }

    /** An answer that doesn't speak of what was sent is a fault, and not believed. */
    private Future<Long> answered(Feed feed, Lane lane, List<PushRecord> pushes, @Nullable Object answer) {
        if (answer instanceof Receipt receipt && isOf(pushes, receipt)) {
            return received(feed, lane, pushes, receipt);
        }
        meters.mismatched();
        LOG.error(
                "{}: found {}, expected a receipt of the first of {} pushes from {} on: it is not believed",
                config.name(),
                answer,
                pushes.size(),
                pushes.get(0));
        return missed(lane, pushes, true, new IllegalStateException("answered with no receipt of what was sent"), feed);
    }

    private static boolean isOf(List<PushRecord> pushes, Receipt receipt) {
        int count = receipt.handled().size();
        Receipt.Failed failed = receipt.failed();
        boolean isOf = count + (failed == null ? 0 : 1) <= pushes.size();
        for (int i = 0; isOf && i < count; i++) {
            isOf = pushes.get(i).seq() == receipt.handled().get(i);
        }
        return isOf && (failed == null || pushes.get(count).seq() == failed.seq());
    }

    private Future<Long> received(Feed feed, Lane lane, List<PushRecord> pushes, Receipt receipt) {
        int count = receipt.handled().size();
        Throwable failure = receipt.failed() == null ? null : receipt.failed().cause();
        lane.oneByOne(false);
        if (count > 0) {
            breaker.handled(lane.key());
        } else if (failure == null) {
            breaker.unused();
        }
        return feed.handled(pushes.subList(0, count)).compose(v -> {
            // All of them before anyone hears of it, who could fail: they don't come again then.
            for (int i = 0; i < count; i++) {
                feed.lanes().done(lane);
            }
            meters.delivered(count);
            for (PushRecord push : pushes.subList(0, count)) {
                delivery.watcher().handled(push, config.name());
                if (!doubtful.isEmpty() && doubtful.remove(push.seq())) {
                    delivery.store().deadLetters().remove(config.name(), push.seq());
                }
            }
            return failure == null ? Future.succeededFuture(0L) : failed(feed, lane, pushes.get(count), failure);
        });
    }

    /**
     * Nothing came back of a batch. What waited behind other lanes and was never begun has not failed. Which of the pushes
     * held up the others, if any did, is told by sending them one by one.
     */
    private Future<Long> missed(Lane lane, List<PushRecord> pushes, boolean begun, Throwable failure, Feed feed) {
        boolean late = failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.TIMEOUT;
        if (!begun && late) {
            breaker.unused();
            return Future.succeededFuture(0L);
        }
        if (pushes.size() == 1 && begun) {
            return failed(feed, lane, pushes.get(0), failure);
        }
        lane.oneByOne(true);
        breaker.failed(lane.key(), lane.hasFailed());
        LOG.warn(
                "{}: no answer to {} pushes from {} on: {}",
                config.name(),
                pushes.size(),
                pushes.get(0),
                failure.getMessage());
        return Future.succeededFuture(policy.delayMillis(1));
    }

    /** The first push of a lane has failed. */
    private Future<Long> failed(Feed feed, Lane lane, PushRecord push, Throwable failure) {
        Entry entry = lane.first();
        boolean counts = !breaker.failsEverything();
        RetryState retry = RetryPolicy.failed(
                entry.retry(),
                System.currentTimeMillis(),
                ShownError.of(failure, push),
                counts,
                breaker.outageMillis() - entry.outageMillis());
        entry.outageMillis(breaker.outageMillis());
        lastFailure = new LastFailure(retry.lastAt(), push.seq(), retry.last());
        breaker.failed(lane.key(), retry.attempts() > 1);
        delivery.watcher().failed(push, config.name(), retry.attempts());
        if (RetryPolicy.isPermanent(failure) || (counts && policy.isLast(retry))) {
            return deadLetters
                    .write(push, retry, feed.comesAgain(), feed.mayBeWithdrawn())
                    .transform(written -> {
                        if (written.failed()) {
                            doubtful.add(push.seq());
                            return Future.succeededFuture(
                                    retryLater(feed, lane, retry, policy.delayMillis(retry.attempts())));
                        }
                        doubtful.remove(push.seq());
                        feed.lanes().done(lane);
                        feed.deadLettered();
                        return Future.succeededFuture(0L);
                    });
        }
        long delay = policy.delayMillis(retry.attempts(), failure);
        LOG.warn(
                "{}: attempt {} failed at {}, next in {} ms: {}",
                config.name(),
                retry.attempts(),
                push,
                delay,
                retry.last());
        meters.retried();
        return Future.succeededFuture(retryLater(feed, lane, retry, delay));
    }

    private static long retryLater(Feed feed, Lane lane, RetryState retry, long delay) {
        feed.lanes().failed(lane, retry);
        return delay;
    }
}
