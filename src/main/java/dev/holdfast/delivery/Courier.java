package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.PermanentFailure;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.DeadLetter.Failure;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
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
    /** Those of them whose next push has failed before. */
    private final Deque<Lane> troubled = new ArrayDeque<>();

    private int turns;
    private final int[] atWork;
    private final Breaker breaker;
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
                .setSendTimeout(config.timeout().toMillis() + GRACE_MILLIS);
        this.maxBatch = parts.bounds().batch(config.concurrency());
        this.maxBatchBytes = Math.min(MAX_BATCH_BYTES, MAX_BYTES_UNDER_WAY / config.concurrency());
        this.breaker = new Breaker(config.retry());
        this.atWork = new int[config.instances()];
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
        if (lane.state() == Lane.State.IDLE && lane.hasPushes()) {
            lane.state(Lane.State.READY);
            (lane.isTroubled() ? troubled : ready).add(lane);
        }
    }

    /** Sends what may be sent. */
    void run() {
        while (underWay < breaker.allowed(config.concurrency())
                && !(ready.isEmpty() && troubled.isEmpty())
                && !held.getAsBoolean()) {
            send(next());
        }
    }

    /**
     * The next in turn. Lanes whose push has failed before take every fourth turn while there are others; while the consumer
     * is slowed, none.
     */
    private Lane next() {
        boolean theirTurn = ready.isEmpty() || (breaker.isClosed() && ++turns % 4 == 0);
        return theirTurn && !troubled.isEmpty() ? troubled.remove() : ready.remove();
    }

    /** Whether the consumer fails one push after the other and is given few. */
    boolean isSlowed() {
        return !breaker.isClosed();
    }

    /** @param again whether it has failed before, which tells nothing new of the consumer */
    private void attemptFailed(PushRecord push, boolean again) {
        boolean first = breaker.isClosed();
        long millis = breaker.failed(push.seq(), again);
        if (millis > 0) {
            if (first) {
                LOG.warn("{}: fails one push after the other, is slowed until one is handled", config.name());
            }
            parts.vertx().setTimer(millis, timer -> {
                breaker.tryAgain();
                run();
            });
        }
    }

    private void attemptsHandled(int count) {
        if (count > 0 && breaker.handled()) {
            LOG.info("{}: has handled a push again, is no longer slowed", config.name());
        }
    }

    private void send(Lane lane) {
        List<Parcel> parcels = lanes.begin(lane, breaker.isClosed() ? maxBatch : 1, maxBatchBytes);
        PushBatch batch = new PushBatch(parcels.stream()
                .map(parcel -> new Push(parcel.push(), parts.businessData(), lane.attempt(parcel), parcel.replay()))
                .toList());
        int instance = leastBusy();
        lane.state(Lane.State.BUSY);
        underWay++;
        atWork[instance]++;
        parts.bus()
                .<Receipt>request(consumer.address(instance), batch, options)
                .map(Message::body)
                .onComplete(receipt -> {
                    underWay--;
                    atWork[instance]--;
                    if (receipt.succeeded()) {
                        take(lane, parcels, receipt.result());
                    } else {
                        missed(lane, parcels, !batch.withdraw(), receipt.cause());
                    }
                    onAdvance.run();
                    run();
                });
    }

    private int leastBusy() {
        int least = 0;
        for (int i = 1; i < atWork.length; i++) {
            least = atWork[i] < atWork[least] ? i : least;
        }
        return least;
    }

    private void take(Lane lane, List<Parcel> parcels, Receipt receipt) {
        for (int i = 0; i < receipt.handled(); i++) {
            Parcel handled = lanes.done(lane);
            parts.watcher().handled(handled.push(), config.name());
            tell(handled, true);
        }
        lanes.ended(lane, parcels.subList(receipt.handled(), parcels.size()));
        meters.delivered(receipt.handled());
        attemptsHandled(receipt.handled());
        lane.oneByOne(false);
        Throwable failure = receipt.failure();
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
            release(lane);
        } else if (parcels.size() == 1 && begun) {
            failed(lane, failure);
        } else {
            lane.oneByOne(true);
            attemptFailed(lane.first().push(), lane.isTroubled());
            LOG.warn(
                    "{}: no answer to {} pushes from {} on: {}",
                    config.name(),
                    parcels.size(),
                    lane.first().push(),
                    failure.getMessage());
            rest(lane, backoff.millisAfter(1));
        }
    }

    private static void tell(Parcel parcel, boolean handled) {
        if (parcel.done() != null) {
            parcel.done().accept(handled);
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
        attemptFailed(push, trouble.attempts() > 1);
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

    /** The lane moves on when the dead letter is durable, never before. */
    private void bury(Lane lane, Trouble trouble) {
        Parcel parcel = lanes.hold(lane);
        DeadLetter letter =
                new DeadLetter(config.name(), parcel.push(), trouble.attempts(), trouble.first(), trouble.last());
        lane.state(Lane.State.BUSY);
        underWay++;
        Future.fromCompletionStage(parts.journal().saveDeadLetter(letter), parts.context())
                .onComplete(saved -> {
                    underWay--;
                    if (saved.succeeded()) {
                        buried(lane, letter);
                    } else {
                        lanes.ended(lane, List.of(parcel));
                        LOG.error("{}: no dead letter can be kept of {}", config.name(), parcel.push(), saved.cause());
                        rest(lane, backoff.millisAfter(trouble.attempts()));
                    }
                    onAdvance.run();
                    run();
                });
    }

    private void buried(Lane lane, DeadLetter letter) {
        LOG.error(
                "{}: {} is a dead letter after {} attempts: {}",
                config.name(),
                letter.push(),
                letter.attempts(),
                letter.last().error());
        Parcel parcel = lanes.done(lane);
        lanes.ended(lane, List.of());
        meters.buried(!parcel.isErrand() || parcel.replay());
        tell(parcel, false);
        release(lane);
    }
}
