package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consumer's way through the journal: takes just-committed pushes from memory while it keeps up, reads the journal
 * while it lags, and spreads what is meant for the consumer over its lanes. Lives on the delivery's event loop.
 */
final class Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
    private static final int READ_PUSHES = 512;
    private static final long READ_BYTES = 2L * 1024 * 1024;
    /** A consumer times its own attempts; this is for one that doesn't come back at all. */
    private static final long GRACE_MILLIS = 5_000;

    private final ConsumerConfig config;
    private final ConsumerContext consumer;
    private final Parts parts;
    private final Patterns patterns;
    private final Backoff backoff;
    private final DeliveryOptions options;
    private final Window window;
    private final Cursor cursor;
    private final DeliveryMeters meters;
    private final Map<LaneKey, Lane> lanes = new HashMap<>();
    /** The newest position known here. What is committed but not offered yet is on its way, and not to be read. */
    private long offered;

    private boolean reading;
    private boolean stopping;
    private int underWay;

    Subscription(ConsumerConfig config, ConsumerContext consumer, long start, Parts parts) {
        this.config = config;
        this.consumer = consumer;
        this.parts = parts;
        this.patterns = new Patterns(config.events());
        this.backoff =
                new Backoff(config.retry(), () -> ThreadLocalRandom.current().nextDouble());
        this.options = new DeliveryOptions()
                .setLocalOnly(true)
                .setSendTimeout(config.timeout().toMillis() + GRACE_MILLIS);
        this.window = new Window(start);
        this.cursor = new Cursor(config.name(), start, parts.journal(), parts.context(), window, this::runAll);
        this.meters = new DeliveryMeters(
                parts.registry(),
                config.name(),
                () -> Math.max(0, parts.journal().lastSeq() - cursor.durable()));
    }

    String name() {
        return config.name();
    }

    boolean wants(String event) {
        return patterns.match(event);
    }

    /** The position up to which everything was handled, durably. Any thread. */
    long durableCursor() {
        return cursor.durable();
    }

    /** Just-committed pushes. What can't be taken now is read from the journal later. */
    void offer(List<PushRecord> pushes) {
        offered = Math.max(offered, pushes.get(pushes.size() - 1).seq());
        long seen = window.next() - pushes.get(0).seq();
        if (stopping || reading || seen < 0 || !window.hasRoom()) {
            read();
        } else if (seen < pushes.size()) {
            take(pushes.subList((int) seen, pushes.size()));
        }
    }

    /** Saves the cursor, and looks for pushes up to {@code last} that were never offered. */
    void tick(long last) {
        offered = Math.max(offered, last);
        read();
        cursor.saveIfIdle();
    }

    private void take(List<PushRecord> pushes) {
        Set<Lane> grown = new HashSet<>();
        for (PushRecord push : pushes) {
            if (wants(push.envelope().event())) {
                Lane lane = lanes.computeIfAbsent(LaneKey.of(push), key -> new Lane(key, this));
                lane.add(window.add(push));
                grown.add(lane);
            } else {
                window.skipTo(push.seq());
            }
        }
        grown.forEach(Lane::run);
    }

    private void read() {
        long last = offered;
        long from = window.next();
        if (stopping || reading || from > last || !window.hasRoom()) {
            return;
        }
        reading = true;
        parts.reader()
                .executeBlocking(() -> parts.journal().read(from, READ_PUSHES, READ_BYTES), false)
                .onSuccess(pushes -> {
                    reading = false;
                    take(pushes);
                    if (pushes.isEmpty()) {
                        window.skipTo(last);
                    }
                    read();
                })
                .onFailure(failure -> {
                    reading = false;
                    LOG.warn("{}: the journal can't be read from {}: {}", name(), from, failure.getMessage());
                });
    }

    private void runAll() {
        List.copyOf(lanes.values()).forEach(Lane::run);
    }

    /** Whether no batch may be sent at the moment. */
    boolean isHeld() {
        return stopping || cursor.farBehind();
    }

    Push push(Item item) {
        return new Push(item.push(), parts.businessData(), item.nextAttempt());
    }

    Future<Receipt> send(PushBatch batch) {
        underWay++;
        return parts.bus()
                .<Receipt>request(consumer.address(), batch, options)
                .map(Message::body)
                .onComplete(receipt -> underWay--);
    }

    void handled(Item item) {
        window.handled(item);
        parts.watcher().handled(item.push(), name());
    }

    /** A receipt was worked in. */
    void advanced(int count) {
        meters.delivered(count);
        cursor.advance();
        read();
    }

    void retryLater(Item item, Throwable failure, Runnable retry) {
        int attempts = item.failed();
        long delay = backoff.millisAfter(attempts, failure);
        meters.retried();
        parts.watcher().failed(item.push(), name(), attempts);
        LOG.warn(
                "{}: attempt {} failed at {}, next in {} ms: {}",
                name(),
                attempts,
                item.push(),
                delay,
                failure.toString().replaceAll("\\R", " "));
        parts.vertx().setTimer(delay, timer -> retry.run());
    }

    /** A lane has no push any more. */
    void emptied(Lane lane) {
        lanes.remove(lane.key());
    }

    /** Sends nothing more, waits for the batches under way, but not beyond {@code patience}, saves the cursor. */
    Future<Void> stop(Duration patience) {
        stopping = true;
        meters.remove();
        Promise<Void> settled = Promise.promise();
        long deadline = System.nanoTime() + patience.toNanos();
        parts.vertx().setPeriodic(10, timer -> {
            if (underWay == 0 || System.nanoTime() - deadline > 0) {
                parts.vertx().cancelTimer(timer);
                settled.complete();
            }
        });
        return settled.future().compose(v -> cursor.save());
    }
}
