package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.LastFailure;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter.Failure;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the pushes of the lanes to their consumer: at most {@code concurrency} lanes have a batch under way, each at most
 * one; a failed push is tried again before anything behind it. On the delivery's event loop.
 */
final class Courier {
    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);
    /**
     * A consumer times its own calls, that of a push and that of the commit behind it; beyond both, this is for one that
     * doesn't come back at all.
     */
    private static final long GRACE_MILLIS = 5_000;

    private static final long MAX_BATCH_BYTES = 4L * 1024 * 1024;

    private final ConsumerConfig config;
    private final ConsumerContext consumer;
    private final Parts parts;
    private final DeliveryMeters meters;
    private final Backoff backoff;
    private final DeliveryOptions options;
    private final int maxBatch;
    private final long maxBatchBytes;
    private final WorkingLanes working = new WorkingLanes();
    private final Ways ways = new Ways(working);
    private final Instances instances;
    private final Breaker breaker;
    private final Burial burial;
    private @Nullable LastFailure lastFailure;
    /** Timers, each of a lane whose first push waits for its next attempt. */
    private final Set<Long> rests = new HashSet<>();

    private boolean stopped;
    private int underWay;
    private long bytesUnderWay;

    Courier(ConsumerConfig config, ConsumerContext consumer, Parts parts, DeliveryMeters meters, LetterCount letters) {
        this.config = config;
        this.consumer = consumer;
        this.parts = parts;
        this.meters = meters;
        this.backoff =
                new Backoff(config.retry(), () -> ThreadLocalRandom.current().nextDouble());
        this.options = new DeliveryOptions()
                .setLocalOnly(true)
                .setSendTimeout(2 * config.timeout().toMillis() + GRACE_MILLIS);
        this.maxBatch = parts.bounds().batch(config.concurrency());
        this.maxBatchBytes = Math.min(MAX_BATCH_BYTES, Bounds.BYTES_UNDER_WAY / config.concurrency());
        this.breaker = new Breaker(config.name(), config.retry(), parts.vertx(), this::run);
        this.burial = new Burial(config.name(), parts, meters, letters);
        this.instances = new Instances(config.instances());
    }

    /** From now on brings the pushes of this way too. */
    void add(Way way) {
        ways.add(way);
    }

    /** See {@link Ways#remove}. */
    void remove(Way way) {
        ways.remove(way);
    }

    /** Sends nothing more. */
    void stop() {
        stopped = true;
        rests.forEach(parts.vertx()::cancelTimer);
        rests.clear();
    }

    /** Batches and dead letters that are on their way. */
    int underWay() {
        return underWay;
    }

    /** Lanes whose first push waits for its next attempt. */
    int resting() {
        return rests.size();
    }

    /** Whether the consumer fails one push after the other and is given few. */
    boolean isSlowed() {
        return !breaker.isClosed();
    }

    /** What went wrong last; null: nothing yet. */
    @Nullable
    LastFailure lastFailure() {
        return lastFailure;
    }

    /** Sends what may be sent. */
    void run() {
        // Of large pushes fewer lanes than that, or they would fill the memory together.
        while (!stopped && underWay < config.concurrency() && bytesUnderWay < Bounds.BYTES_UNDER_WAY) {
            Ways.Departure next = ways.next(breaker, underWay);
            if (next == null) {
                return;
            }
            send(next.way(), next.lane());
        }
    }

    private void send(Way way, Lane lane) {
        int most = Math.min(way.allowance(), isSlowed() ? 1 : maxBatch);
        List<PushRecord> pushes =
                way.lanes().begin(lane, most, maxBatchBytes, way.closedFrom(lane.key()), way::isWithdrawn);
        way.sent(pushes.size());
        PushBatch batch = new PushBatch(pushes.stream()
                .map(push -> new Push(push, parts.businessData(), lane.attempt(push), way.isReplay()))
                .toList());
        long bytes = pushes.stream().mapToLong(push -> push.body().length).sum();
        bytesUnderWay += bytes;
        int instance = instances.begin();
        begin(lane);
        // What sending throws is a failure too.
        Future.succeededFuture()
                .compose(v -> parts.bus().<Object>request(consumer.address(instance), batch, options))
                .map(Message::body)
                .onComplete(receipt -> {
                    bytesUnderWay -= bytes;
                    instances.end(instance);
                    end(way, lane, () -> {
                        if (receipt.succeeded()) {
                            take(way, lane, pushes, receipt.result());
                        } else {
                            missed(way, lane, pushes, !batch.withdraw(), receipt.cause());
                        }
                    });
                });
    }

    private void begin(Lane lane) {
        lane.state(Lane.State.BUSY);
        underWay++;
    }

    /**
     * What has been done with a lane is over, whatever comes of looking at it; the same lane may go on, on another way too.
     *
     * @param outcome tells what the lane does next; where it fails to, that is to wait and try again
     */
    private void end(Way way, Lane lane, Runnable outcome) {
        underWay--;
        lane.state(Lane.State.IDLE);
        try {
            outcome.run();
        } catch (RuntimeException e) {
            LOG.error("{}: what became of the pushes of a lane can't be taken in, it goes on", config.name(), e);
            breaker.failed(e, true);
            if (lane.state() == Lane.State.IDLE) {
                rest(way, lane, backoff.millisAfter(1));
            }
        }
        ways.goOn(lane.key());
        way.advanced();
        remove(way);
        run();
    }

    /** An answer that isn't a receipt of what was sent is none. */
    private void take(Way way, Lane lane, List<PushRecord> pushes, @Nullable Object answer) {
        if (answer instanceof Receipt receipt && lane.isAnsweredBy(receipt)) {
            take(way, lane, pushes, receipt);
            return;
        }
        meters.mismatched();
        LOG.error(
                "{}: found {}, expected a receipt of the first of {} pushes from {} on: it is not believed",
                config.name(),
                answer,
                pushes.size(),
                pushes.get(0));
        missed(way, lane, pushes, true, new IllegalStateException("answered with no receipt of what was sent"));
    }

    private void take(Way way, Lane lane, List<PushRecord> pushes, Receipt receipt) {
        int count = receipt.handled().size();
        List<PushRecord> handled = pushes.subList(0, count);
        handled.forEach(push -> way.lanes().done(lane));
        way.lanes().ended(lane, pushes.subList(count, pushes.size()));
        meters.delivered(count);
        lane.oneByOne(false);
        Receipt.Failed failed = receipt.failed();
        if (count > 0) {
            breaker.handled();
            working.handled(lane);
        } else if (failed == null) {
            breaker.unused();
        }
        handled.forEach(way::handled);
        handled.forEach(push -> parts.watcher().handled(push, config.name()));
        if (failed == null) {
            way.release(lane);
        } else {
            failed(way, lane, failed.cause());
        }
    }

    /**
     * Nothing came back of a batch. What waited behind other lanes and was never begun has not failed. Which of the pushes
     * held up the others, if any did, is told by sending them one by one.
     */
    private void missed(Way way, Lane lane, List<PushRecord> pushes, boolean begun, Throwable failure) {
        boolean late = failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.TIMEOUT;
        way.lanes().ended(lane, pushes);
        if (!begun && late) {
            breaker.unused();
            way.release(lane);
        } else if (pushes.size() == 1 && begun) {
            failed(way, lane, failure);
        } else {
            lane.oneByOne(true);
            working.failed(lane);
            breaker.failed(failure, lane.isTroubled());
            LOG.warn(
                    "{}: no answer to {} pushes from {} on: {}",
                    config.name(),
                    pushes.size(),
                    lane.first(),
                    failure.getMessage());
            rest(way, lane, backoff.millisAfter(1));
        }
    }

    private void failed(Way way, Lane lane, Throwable failure) {
        PushRecord push = lane.first();
        working.failed(lane);
        boolean counts = !breaker.failsEverything();
        Trouble trouble = lane.failed(new Failure(System.currentTimeMillis(), Redaction.of(failure, push)), counts);
        lastFailure =
                new LastFailure(trouble.last().at(), push.seq(), trouble.last().error());
        breaker.failed(failure, trouble.attempts() > 1);
        parts.watcher().failed(push, config.name(), trouble.attempts());
        if (isPermanent(failure) || (counts && trouble.isEnough(config.retry()))) {
            bury(way, lane, trouble);
        } else {
            retryLater(way, lane, trouble, backoff.millisAfter(trouble.attempts(), failure));
        }
    }

    private static boolean isPermanent(Throwable failure) {
        return failure instanceof PermanentFailure || failure.getCause() instanceof PermanentFailure;
    }

    private void retryLater(Way way, Lane lane, Trouble trouble, long delay) {
        meters.retried();
        LOG.warn(
                "{}: attempt {} failed at {}, next in {} ms: {}",
                config.name(),
                trouble.attempts(),
                lane.first(),
                delay,
                trouble.last().error());
        rest(way, lane, delay);
    }

    private void rest(Way way, Lane lane, long millis) {
        lane.state(Lane.State.RESTING);
        long id = parts.vertx().setTimer(millis, timer -> {
            rests.remove(timer);
            way.release(lane);
            way.advanced();
            run();
        });
        rests.add(id);
    }

    private void bury(Way way, Lane lane, Trouble trouble) {
        begin(lane);
        burial.of(way, lane, trouble)
                .onComplete(buried -> end(way, lane, () -> {
                    if (buried.succeeded()) {
                        way.release(lane);
                    } else {
                        rest(way, lane, backoff.millisAfter(trouble.attempts()));
                    }
                }));
    }
}
