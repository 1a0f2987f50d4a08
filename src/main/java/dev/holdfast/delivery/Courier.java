package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.PermanentFailure;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.journal.DeadLetter.Failure;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the pushes of the lanes to their consumer: lanes take turns, at most {@code concurrency} of them have a batch under
 * way, each at most one; a failed push is tried again before anything behind it. On the delivery's event loop.
 */
final class Courier {
    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);
    /**
     * A consumer times its own calls, that of a push and that of the commit behind it; beyond both, this is for one that
     * doesn't come back at all.
     */
    private static final long GRACE_MILLIS = 5_000;

    private static final int MAX_BATCH = 256;
    /** Pushes under way in all lanes together, as far as each may have one. */
    private static final int MAX_UNDER_WAY = 2048;

    private static final long MAX_BATCH_BYTES = 4L * 1024 * 1024;
    private static final long MAX_BYTES_UNDER_WAY = 16L * 1024 * 1024;

    private final ConsumerConfig config;
    private final ConsumerContext consumer;
    private final Parts parts;
    private final Lanes lanes;
    private final DeliveryMeters meters;
    private final BooleanSupplier held;
    private final Runnable onAdvance;
    private final Backoff backoff;
    private final DeliveryOptions options;
    private final int maxBatch;
    private final long maxBatchBytes;
    private final Turns turns = new Turns();
    private final Instances instances;
    private final Breaker breaker;
    private final Burial burial;
    private int underWay;
    private int resting;

    /**
     * @param held whether nothing may be sent at the moment
     * @param onAdvance a receipt was worked in
     */
    Courier(
            ConsumerConfig config,
            ConsumerContext consumer,
            Parts parts,
            Lanes lanes,
            DeliveryMeters meters,
            BooleanSupplier held,
            Runnable onAdvance) {
        this.config = config;
        this.consumer = consumer;
        this.parts = parts;
        this.lanes = lanes;
        this.meters = meters;
        this.held = held;
        this.onAdvance = onAdvance;
        this.backoff =
                new Backoff(config.retry(), () -> ThreadLocalRandom.current().nextDouble());
        this.options = new DeliveryOptions()
                .setLocalOnly(true)
                .setSendTimeout(2 * config.timeout().toMillis() + GRACE_MILLIS);
        this.maxBatch = Math.max(1, Math.min(MAX_BATCH, MAX_UNDER_WAY / config.concurrency()));
        this.maxBatchBytes = Math.min(MAX_BATCH_BYTES, MAX_BYTES_UNDER_WAY / config.concurrency());
        this.breaker = new Breaker(config.name(), config.retry(), parts.vertx(), this::run);
        this.burial = new Burial(config.name(), parts, lanes, meters);
        this.instances = new Instances(config.instances());
    }

    int underWay() {
        return underWay;
    }

    /** Lanes whose first push waits for its next attempt. */
    int resting() {
        return resting;
    }

    /** Lets a lane that has pushes and nothing else to do take its turn. */
    void enqueue(Lane lane) {
        turns.add(lane);
    }

    /** Sends what may be sent. */
    void run() {
        while (underWay < config.concurrency() && !turns.isEmpty() && !held.getAsBoolean() && breaker.permits()) {
            send(turns.next(!breaker.isClosed()));
        }
    }

    /** Whether the consumer fails one push after the other and is given few. */
    boolean isSlowed() {
        return !breaker.isClosed();
    }

    private void send(Lane lane) {
        List<Parcel> parcels = lanes.begin(lane, breaker.isClosed() ? maxBatch : 1, maxBatchBytes);
        PushBatch batch = new PushBatch(parcels.stream()
                .map(parcel -> new Push(parcel.push(), parts.businessData(), lane.attempt(parcel), parcel.replay()))
                .toList());
        int instance = instances.begin();
        lane.state(Lane.State.BUSY);
        underWay++;
        parts.bus()
                .<Receipt>request(consumer.address(instance), batch, options)
                .map(Message::body)
                .onComplete(receipt -> {
                    underWay--;
                    instances.end(instance);
                    if (receipt.succeeded()) {
                        take(lane, parcels, receipt.result());
                    } else {
                        missed(lane, parcels, !batch.withdraw(), receipt.cause());
                    }
                    onAdvance.run();
                    run();
                });
    }

    private void take(Lane lane, List<Parcel> parcels, Receipt receipt) {
        for (int i = 0; i < receipt.handled(); i++) {
            Parcel handled = lanes.done(lane);
            parts.watcher().handled(handled.push(), config.name());
            handled.tell(true);
        }
        lanes.ended(lane, parcels.subList(receipt.handled(), parcels.size()));
        meters.delivered(receipt.handled());
        lane.oneByOne(false);
        Throwable failure = receipt.failure();
        if (receipt.handled() > 0) {
            breaker.handled();
        } else if (failure == null) {
            breaker.unused();
        }
        if (failure == null) {
            release(lane);
        } else {
            failed(lane, failure);
        }
    }

    /**
     * Nothing came back of a batch. What waited behind other lanes and was never begun has not failed. Which of the pushes
     * held up the others, if any did, is told by sending them one by one.
     */
    private void missed(Lane lane, List<Parcel> parcels, boolean begun, Throwable failure) {
        boolean late = failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.TIMEOUT;
        lanes.ended(lane, parcels);
        if (!begun && late) {
            breaker.unused();
            release(lane);
        } else if (parcels.size() == 1 && begun) {
            failed(lane, failure);
        } else {
            lane.oneByOne(true);
            breaker.failed(failure, lane.isTroubled());
            LOG.warn(
                    "{}: no answer to {} pushes from {} on: {}",
                    config.name(),
                    parcels.size(),
                    lane.first().push(),
                    failure.getMessage());
            rest(lane, backoff.millisAfter(1));
        }
    }

    private void release(Lane lane) {
        lane.state(Lane.State.IDLE);
        if (lane.isDone()) {
            lanes.forget(lane);
        } else {
            enqueue(lane);
        }
    }

    private void failed(Lane lane, Throwable failure) {
        PushRecord push = lane.first().push();
        Trouble trouble = lane.failed(new Failure(System.currentTimeMillis(), Redaction.of(failure, push)));
        breaker.failed(failure, trouble.attempts() > 1);
        parts.watcher().failed(push, config.name(), trouble.attempts());
        if (isPermanent(failure) || trouble.isEnough(config.retry())) {
            bury(lane, trouble);
        } else {
            retryLater(lane, trouble, backoff.millisAfter(trouble.attempts(), failure));
        }
    }

    private static boolean isPermanent(Throwable failure) {
        return failure instanceof PermanentFailure || failure.getCause() instanceof PermanentFailure;
    }

    private void retryLater(Lane lane, Trouble trouble, long delay) {
        meters.retried();
        LOG.warn(
                "{}: attempt {} failed at {}, next in {} ms: {}",
                config.name(),
                trouble.attempts(),
                lane.first().push(),
                delay,
                trouble.last().error());
        rest(lane, delay);
    }

    private void rest(Lane lane, long millis) {
        lane.state(Lane.State.RESTING);
        resting++;
        parts.vertx().setTimer(millis, timer -> {
            resting--;
            release(lane);
            onAdvance.run();
            run();
        });
    }

    private void bury(Lane lane, Trouble trouble) {
        lane.state(Lane.State.BUSY);
        underWay++;
        burial.of(lane, trouble).onComplete(buried -> {
            underWay--;
            if (buried.succeeded()) {
                release(lane);
            } else {
                rest(lane, backoff.millisAfter(trouble.attempts()));
            }
            onAdvance.run();
            run();
        });
    }
}
