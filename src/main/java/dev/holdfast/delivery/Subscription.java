package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.journal.DeadLetterFilter;
import dev.holdfast.journal.Progress;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consumer's way through the journal: takes just-committed pushes from memory while it keeps up, reads the journal
 * while it lags, and spreads what is meant for the consumer over its lanes. Lives on the delivery's event loop.
 */
final class Subscription {
    static final long READ_BYTES = 2L * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

    private final String name;
    private final Parts parts;
    private final Patterns patterns;
    private final Lanes lanes;
    private final Cursor cursor;
    private final DeliveryMeters meters;
    private final Courier courier;
    private final CatchUp catchUp;
    /** The newest position known here. What is committed but not offered yet is on its way, and not to be read. */
    private long offered;

    private long frontAtTick;
    private boolean reading;
    private boolean stopping;
    private final List<Retrial> retrials = new ArrayList<>();
    private final Set<Long> retried = ConcurrentHashMap.newKeySet();

    Subscription(ConsumerConfig config, ConsumerContext consumer, Progress start, Parts parts) {
        this.name = config.name();
        this.parts = parts;
        this.patterns = new Patterns(config.events());
        this.lanes = new Lanes(new Ordering(config.orderBy()), start, parts.bounds());
        this.cursor = new Cursor(name, start, parts, lanes, this::resume);
        this.meters = new DeliveryMeters(
                parts.registry(),
                name,
                () -> Math.max(0, parts.journal().lastSeq() - cursor.durable().handled()));
        this.courier = new Courier(config, consumer, parts, lanes, meters, this::isHeld, this::advanced);
        this.meters.watch(lanes::behindCount, courier::resting, () -> courier.isSlowed() ? 1 : 0);
        this.catchUp =
                new CatchUp(name, parts, lanes, push -> wants(push.envelope().event()), this::resume);
    }

    boolean wants(String event) {
        return patterns.match(event);
    }

    ConsumerState state() {
        long handled = cursor.durable().handled();
        long lag = Math.max(0, parts.journal().lastSeq() - handled);
        return new ConsumerState(name, handled, lag, courier.isSlowed(), lanes.behindCount(), courier.resting());
    }

    /** How far the consumer has come, durably. Any thread. */
    Progress durable() {
        return cursor.durable();
    }

    /** Just-committed pushes. What can't be taken now is read from the journal later. */
    void offer(List<PushRecord> pushes) {
        offered = Math.max(offered, pushes.get(pushes.size() - 1).seq());
        long seen = lanes.front() + 1 - pushes.get(0).seq();
        if (stopping || reading || seen < 0 || !hasRoom()) {
            read();
        } else if (seen < pushes.size()) {
            take(pushes.subList((int) seen, pushes.size()));
        }
    }

    /** Saves the cursor, and looks for pushes up to {@code last} that were never offered. */
    void tick(long last) {
        offered = Math.max(offered, last);
        if (!stopping && !lanes.hasRoom() && lanes.front() == frontAtTick) {
            // Whatever holds the memory doesn't come on: others shall not wait for it.
            lanes.relieve(true);
        }
        frontAtTick = lanes.front();
        retrials.removeIf(Retrial::hasEnded);
        retrials.forEach(Retrial::run);
        resume();
        cursor.saveIfIdle();
    }

    private boolean hasRoom() {
        if (!lanes.hasRoom()) {
            lanes.relieve(false);
        }
        return lanes.hasRoom();
    }

    private void take(List<PushRecord> pushes) {
        for (PushRecord push : pushes) {
            if (wants(push.envelope().event())) {
                courier.enqueue(lanes.take(push));
            } else {
                lanes.skipTo(push.seq());
            }
        }
        courier.run();
    }

    private void read() {
        long last = offered;
        long from = lanes.front() + 1;
        if (stopping || reading || from > last || !hasRoom()) {
            return;
        }
        reading = true;
        parts.reader()
                .executeBlocking(() -> parts.journal().read(from, parts.bounds().read(), READ_BYTES), false)
                .onSuccess(pushes -> {
                    reading = false;
                    take(pushes);
                    if (pushes.isEmpty()) {
                        lanes.skipTo(last);
                    }
                    read();
                })
                .onFailure(failure -> {
                    reading = false;
                    LOG.warn("{}: the journal can't be read from {}: {}", name, from, failure.getMessage());
                });
    }

    /** Lets everything go on that can. */
    private void resume() {
        for (Lane lane : lanes.all()) {
            if (lane.isDone()) {
                lanes.forget(lane);
            } else {
                courier.enqueue(lane);
            }
        }
        courier.run();
        advanced();
    }

    /** Brings dead letters back to their lanes. */
    void retry(DeadLetterFilter filter) {
        Retrial retrial = new Retrial(name, filter, parts, retried, this::deliver, meters);
        retrials.add(retrial);
        retrial.run();
    }

    /** Whether a dead letter is in its lane again. */
    boolean isRetried(long seq) {
        return retried.contains(seq);
    }

    /** Takes a push that was asked for to its lane. */
    void deliver(Parcel errand) {
        courier.enqueue(lanes.take(errand));
        courier.run();
    }

    /** Looks how many dead letters there are. */
    void countDeadLetters() {
        parts.reader()
                .executeBlocking(() -> parts.journal().countDeadLetters(name), false)
                .onSuccess(meters::deadLetters)
                .onFailure(failure -> LOG.warn("{}: dead letters can't be counted: {}", name, failure.getMessage()));
    }

    private boolean isHeld() {
        return stopping || cursor.farBehind();
    }

    private void advanced() {
        cursor.advance();
        read();
        if (!stopping) {
            catchUp.run();
        }
    }

    /** Sends nothing more, waits for the batches under way, but not beyond {@code patience}, saves the cursor. */
    Future<Void> stop(Duration patience) {
        stopping = true;
        retrials.forEach(Retrial::end);
        meters.remove();
        Promise<Void> settled = Promise.promise();
        long deadline = System.nanoTime() + patience.toNanos();
        parts.vertx().setPeriodic(10, timer -> {
            if (courier.underWay() == 0 || System.nanoTime() - deadline > 0) {
                parts.vertx().cancelTimer(timer);
                settled.complete();
            }
        });
        return settled.future().compose(v -> cursor.finish());
    }
}
