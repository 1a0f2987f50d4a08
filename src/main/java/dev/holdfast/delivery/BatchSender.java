package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.LastFailure;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.consumer.RetryLater;
import dev.holdfast.logging.Counted;
import dev.holdfast.push.LogFields;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.retry.Outage;
import dev.holdfast.store.BlockedPush.RetryState;
import dev.holdfast.tracing.BatchTrace;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a lane's next pushes to the consumer as a batch, and settles what became of each: done, to be tried again, or a dead
 * letter. On the delivery's event loop.
 */
final class BatchSender {
    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);
    private final ConsumerConfig config;
    private final String name;
    private final Instances instances;
    private final DeliveryContext delivery;
    private final DeliveryMeters meters;
    private final CircuitBreaker breaker;
    private final RetryPolicy policy;
    private final DeadLetterWriter deadLetters;

    private final Outage outage = new Outage();
    private @Nullable LastFailure lastFailure;

    BatchSender(
            ConsumerConfig config,
            Instances instances,
            DeliveryContext delivery,
            DeliveryMeters meters,
            CircuitBreaker breaker) {
        this.config = config;
        this.name = config.name();
        this.instances = instances;
        this.delivery = delivery;
        this.meters = meters;
        this.breaker = breaker;
        this.policy = new RetryPolicy(
                config.retry(), () -> ThreadLocalRandom.current().nextDouble());
        this.deadLetters = new DeadLetterWriter(name, delivery, meters);
    }

    /** What went wrong last; null: nothing yet. */
    @Nullable
    LastFailure lastFailure() {
        return lastFailure;
    }

    /**
     * Brings into memory what a lane lacks, and sends it. Never fails: whatever throws on the way is a failure of this turn,
     * which ends, else its slot and its lane were taken for ever.
     *
     * @return milliseconds until the lane's next turn; 0: at once
     */
    Future<Long> send(Feed feed, Lane lane) {
        return Future.<Void>succeededFuture()
                .compose(begun -> feed.load(lane, most(feed)))
                .compose(loaded -> attempt(feed, lane))
                .recover(failure -> {
                    if (outage.failed()) {
                        LOG.atWarn()
                                .addKeyValue("consumer", name)
                                .setCause(failure)
                                .log("{}: its pushes can't be sent to it, which is tried again", name);
                    }
                    return Future.succeededFuture(policy.delayMillis(lane.cameToNothing()));
                });
    }

    /** One call of the consumer with the first pushes of a lane. */
    private record Attempt(Feed feed, Lane lane, List<PushRecord> pushes, BatchTrace trace) {
        PushRecord first() {
            return pushes.get(0);
        }

        /** As it is said in the log. */
        @Override
        public String toString() {
            return Counted.of(pushes.size(), "push") + " from " + first() + " on";
        }
    }

    /** So many pushes of a lane may be sent at once. */
    private int most(Feed feed) {
        return Math.min(feed.allowance(), breaker.isClosed() ? feed.limits().batch() : 1);
    }

    private Future<Long> attempt(Feed feed, Lane lane) {
        List<PushRecord> pushes = lane.begin(most(feed), feed.limits().batchBytes(), feed.closedFrom(lane.key()));
        if (pushes.isEmpty()) {
            return Future.succeededFuture(0L);
        }
        feed.sent(pushes.size());
        if (outage.over()) {
            LOG.atInfo().addKeyValue("consumer", name).log("{}: its pushes are sent to it again", name);
        }
        Attempt attempt = new Attempt(feed, lane, pushes, delivery.tracer().batch(name));
        PushBatch batch = batch(attempt);
        return instances.request(batch).transform(receipt -> {
            return receipt.succeeded()
                    ? answered(attempt, receipt.result())
                    : missed(attempt, !batch.withdraw(), receipt.cause());
        });
    }

    private PushBatch batch(Attempt attempt) {
        Iterator<LaneEntry> entries = attempt.lane.entries().iterator();
        boolean replay = attempt.feed.kind() == Feed.Kind.REPLAY;
        List<Push> batch = new ArrayList<>(attempt.pushes.size());
        for (PushRecord push : attempt.pushes) {
            RetryState retry = entries.next().retry();
            int number = retry == null ? 1 : retry.attempts() + 1;
            Map<String, String> traced = attempt.trace.begin(
                    push.seq(), push.endpoint(), push.envelope().event(), number);
            batch.add(new Push(push, delivery.businessData(), number, replay, traced));
        }
        return new PushBatch(batch);
    }

    /** An answer that doesn't speak of what was sent is a fault, and not believed. */
    private Future<Long> answered(Attempt attempt, @Nullable Object answer) {
        if (answer instanceof Receipt receipt && isOf(attempt.pushes, receipt)) {
            Receipt.Failed failed = receipt.failed();
            attempt.trace.answered(receipt.handled().size(), failed == null ? null : failed.cause());
            return received(attempt, receipt);
        }
        meters.mismatched.increment();
        String found = answer == null ? "nothing" : "a " + answer.getClass().getSimpleName();
        LogFields.of(LOG.atError(), name, attempt.first())
                .log("{}: found {}, expected a receipt of {}: it is ignored", name, found, attempt);
        return missed(attempt, true, new IllegalStateException("answered with no receipt of what was sent"));
    }

    private static boolean isOf(List<PushRecord> pushes, Receipt receipt) {
        int count = receipt.handled().size();
        Receipt.Failed failed = receipt.failed();
        boolean isOf = count + (failed == null ? 0 : failed.pushes()) <= pushes.size();
        for (int i = 0; isOf && i < count; i++) {
            isOf = pushes.get(i).seq() == receipt.handled().get(i);
        }
        return isOf && (failed == null || pushes.get(count).seq() == failed.seq());
    }

    private Future<Long> received(Attempt attempt, Receipt receipt) {
        Feed feed = attempt.feed;
        Lane lane = attempt.lane;
        Receipt.Failed failed = receipt.failed();
        List<PushRecord> handled = attempt.pushes.subList(0, receipt.handled().size());
        lane.answered();
        if (!handled.isEmpty()) {
            breaker.handled(lane);
        }
        return feed.handled(handled).compose(v -> {
            // All of them before anyone hears of it, who could fail: they don't come again then.
            handled.forEach(push -> feed.lanes().done(lane));
            meters.delivered.increment(handled.size());
            for (PushRecord push : handled) {
                delivery.watcher().handled(push, name);
            }
            return failed == null ? Future.succeededFuture(0L) : failed(attempt, handled.size(), failed);
        });
    }

    private Future<Long> failed(Attempt attempt, int handled, Receipt.Failed failed) {
        PushRecord first = attempt.pushes.get(handled);
        // The latter asks for time, whichever push is first.
        if (failed.pushes() == 1 || failed.cause() instanceof RetryLater) {
            return failed(attempt.feed, attempt.lane, first, failed.cause());
        }
        String what = "the commit of " + Counted.of(failed.pushes(), "push") + " from " + first + " on failed";
        List<PushRecord> pushes = attempt.pushes.subList(handled, handled + failed.pushes());
        return failedTogether(attempt.lane, pushes, what, failed.cause());
    }

    /** Nothing came back of a batch. What waited behind other lanes and was never begun has not failed. */
    private Future<Long> missed(Attempt attempt, boolean begun, Throwable failure) {
        Lane lane = attempt.lane;
        if (begun) {
            attempt.trace.unanswered(failure);
        }
        if (!begun && failure instanceof TimeoutException) {
            return Future.succeededFuture(0L);
        }
        if (attempt.pushes.size() == 1 && begun) {
            return failed(attempt.feed, lane, attempt.first(), failure);
        }
        // Where nothing came back, the words are the gateway's own.
        return failedTogether(lane, List.of(attempt.first()), "no answer to " + attempt, failure);
    }

    /** Which of the pushes is the cause, if one is, is told by sending them one by one. */
    private Future<Long> failedTogether(Lane lane, List<PushRecord> pushes, String what, Throwable failure) {
        PushRecord first = pushes.get(0);
        lastFailure = new LastFailure(System.currentTimeMillis(), first.seq(), shown(failure, pushes));
        breaker.failed(lane, false);
        long delay = policy.delayMillis(lane.failedTogether(lastFailure));
        LogFields.of(LOG.atWarn(), name, first)
                .log("{}: {}, next in {} ms: {}", name, what, delay, lastFailure.error());
        meters.retried.increment();
        return Future.succeededFuture(delay);
    }

    private String shown(Throwable failure, List<PushRecord> pushes) {
        return ShownError.of(failure, pushes, config::withoutOptions);
    }

    /** The first push of a lane has failed. */
    private Future<Long> failed(Feed feed, Lane lane, PushRecord push, Throwable failure) {
        if (feed.checkpoints().isFinished()) {
            // The next subscription goes on from the last checkpoint: it has the push, and may have handled it.
            breaker.failed(lane, false);
            return Future.succeededFuture(0L);
        }
        boolean counts = !breaker.failsEverything();
        RetryState retry = RetryPolicy.failed(
                lane.retry(),
                System.currentTimeMillis(),
                shown(failure, List.of(push)),
                counts,
                lane.triedMillis(counts, breaker.workingSince()));
        lastFailure =
                new LastFailure(retry.last().at(), push.seq(), retry.last().error());
        boolean permanent = RetryPolicy.isPermanent(failure);
        breaker.failed(lane, permanent);
        delivery.watcher().failed(push, name, retry.attempts());
        if (permanent || (counts && policy.isLast(retry))) {
            return deadLetters
                    .write(push, retry, feed.kind())
                    .transform(written -> Future.succeededFuture(
                            written.succeeded()
                                    ? deadLettered(feed, lane)
                                    : retryLater(feed, lane, retry, policy.delayMillis(retry.attempts()))));
        }
        long delay = policy.delayMillis(retry.attempts(), failure);
        LogFields.of(LOG.atWarn(), name, push)
                .log(
                        "{}: attempt {} failed at {}, next in {} ms: {}",
                        name,
                        retry.attempts(),
                        push,
                        delay,
                        retry.last().error());
        meters.retried.increment();
        return Future.succeededFuture(retryLater(feed, lane, retry, delay));
    }

    private static long deadLettered(Feed feed, Lane lane) {
        feed.lanes().done(lane);
        feed.deadLettered();
        return 0;
    }

    private static long retryLater(Feed feed, Lane lane, RetryState retry, long delay) {
        feed.lanes().failed(lane, retry);
        return delay;
    }
}
