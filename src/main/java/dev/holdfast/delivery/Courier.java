package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.util.ArrayDeque;
import java.util.Deque;
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
    /** A consumer times its own attempts; this is for one that doesn't come back at all. */
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
    private final Deque<Lane> ready = new ArrayDeque<>();
    private final int[] atWork;
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
        this.options = new DeliveryOptions().setLocalOnly(true).setSendTimeout(patienceMillis());
        this.maxBatch = Math.max(1, Math.min(MAX_BATCH, MAX_UNDER_WAY / config.concurrency()));
        this.maxBatchBytes = Math.min(MAX_BATCH_BYTES, MAX_BYTES_UNDER_WAY / config.concurrency());
        this.atWork = new int[config.instances()];
    }

    /** How long a batch may be under way at most. */
    long patienceMillis() {
        return config.timeout().toMillis() + GRACE_MILLIS;
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
        if (lane.state() == Lane.State.IDLE && lane.size() > 0) {
            lane.state(Lane.State.READY);
            ready.add(lane);
        }
    }

    /** Sends what may be sent. */
    void run() {
        while (underWay < config.concurrency() && !ready.isEmpty() && !held.getAsBoolean()) {
            send(ready.remove());
        }
    }

    private void send(Lane lane) {
        List<PushRecord> pushes = lanes.begin(lane, maxBatch, maxBatchBytes);
        PushBatch batch = new PushBatch(pushes.stream()
                .map(push -> new Push(push, parts.businessData()))
                .toList());
        int instance = leastBusy();
        lane.state(Lane.State.BUSY);
        underWay++;
        atWork[instance]++;
        parts.bus()
                .<Receipt>request(consumer.instance(instance).address(), batch, options)
                .map(Message::body)
                .otherwise(failure -> {
                    batch.withdraw();
                    return new Receipt(0, failure);
                })
                .onSuccess(receipt -> {
                    underWay--;
                    atWork[instance]--;
                    take(lane, pushes, receipt);
                });
    }

    private int leastBusy() {
        int least = 0;
        for (int i = 1; i < atWork.length; i++) {
            least = atWork[i] < atWork[least] ? i : least;
        }
        return least;
    }

    private void take(Lane lane, List<PushRecord> pushes, Receipt receipt) {
        for (int i = 0; i < receipt.handled(); i++) {
            parts.watcher().handled(lanes.handled(lane), config.name());
        }
        lanes.ended(lane, pushes.subList(receipt.handled(), pushes.size()));
        meters.delivered(receipt.handled());
        Throwable failure = receipt.failure();
        if (failure == null) {
            release(lane);
        } else {
            retryLater(lane, failure);
        }
        onAdvance.run();
        run();
    }

    private void release(Lane lane) {
        lane.state(Lane.State.IDLE);
        if (lane.isDone()) {
            lanes.forget(lane);
        } else {
            enqueue(lane);
        }
    }

    private void retryLater(Lane lane, Throwable failure) {
        PushRecord push = lane.first();
        int attempts = lane.failed();
        long delay = backoff.millisAfter(attempts);
        meters.retried();
        parts.watcher().failed(push, config.name(), attempts);
        LOG.warn(
                "{}: attempt {} failed at {}, next in {} ms: {}",
                config.name(),
                attempts,
                push,
                delay,
                failure.toString());
        lane.state(Lane.State.RESTING);
        resting++;
        parts.vertx().setTimer(delay, timer -> {
            resting--;
            release(lane);
            onAdvance.run();
            run();
        });
    }
}
