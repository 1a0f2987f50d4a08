package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.consumer.ConsumerState.Phase;
import dev.holdfast.journal.OrderedPushes;
import dev.holdfast.push.EventPattern;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Replay;
import io.vertx.core.Future;
import io.vertx.core.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** One consumer that is delivered to: its live feed, and its replays beside it. On the delivery's event loop, unless said. */
final class Subscription {
    private final String name;
    private final ConsumerConfig config;
    private final DeliveryContext delivery;
    private final Predicate<String> events;
    private final LaneKeys keys;
    private final CircuitBreaker breaker;
    private final DeliveryMeters meters;
    private final BatchSender sender;
    private final Dispatcher dispatcher;
    private final LiveFeed live;
    private final HandledRate rate = new HandledRate();

    Subscription(ConsumerConfig config, ConsumerContext consumer, Resumption start, DeliveryContext delivery) {
        this.name = config.name();
        this.config = config;
        this.delivery = delivery;
        this.events = EventPattern.anyOf(config.events());
        this.keys = new LaneKeys(config.orderBy());
        this.breaker = new CircuitBreaker(name, config.retry(), delivery.vertx(), this::run);
        this.meters = new DeliveryMeters(delivery.registry(), name);
        this.sender = new BatchSender(config, consumer, delivery, meters, breaker);
        this.dispatcher = new Dispatcher(config.concurrency(), breaker, sender);
        Limits limits = delivery.limits().ofLanes(config.concurrency());
        this.live = new LiveFeed(start, keys, limits, delivery, this::wants, breaker, this::run);
        dispatcher.add(live);
        meters.watch(live.lanes()::blocked, live.scheduler()::backingOff, breaker);
    }

    private boolean wants(PushRecord push) {
        return events.test(push.envelope().event());
    }

    private void run() {
        dispatcher.run();
    }

    /** But for what is kept of it, its lag and its dead letters. */
    ConsumerState state() {
        return new ConsumerState(
                name,
                breaker.isClosed() ? Phase.RUNNING : Phase.SLOWED,
                config.events(),
                config.verticle(),
                live.checkpoints().durable(),
                0,
                0,
                rate.perSecond(System.nanoTime(), meters.delivered.count()),
                live.lanes().blocked(),
                live.scheduler().backingOff(),
                live.scheduler().anyFailure(),
                0,
                sender.lastFailure());
    }

    /** The pushes that come in. */
    LiveFeed live() {
        return live;
    }

    /** Just-committed pushes. */
    void committed(List<PushRecord> pushes) {
        live.committed(pushes);
        run();
    }

    /** Looks for pushes up to {@code last} that were never offered. */
    void tick(long last) {
        live.tick(last);
        sender.tick();
        dispatcher.tick();
        rate.tick(System.nanoTime(), meters.delivered.count());
    }

    /** Begins, or goes on with, the consumer's part of a replay. */
    ReplayFeed begin(Replay replay, Replay.Progress from, Resumption start, OrderedPushes source) {
        ReplayFeed feed = new ReplayFeed(replay, from, start, source, keys, live, this::wants, breaker, this::run);
        dispatcher.add(feed);
        return feed;
    }

    LaneKeys keys() {
        return keys;
    }

    /**
     * Sends nothing more, waits for what is under way, but not beyond {@code stopTimeout}, and makes the last checkpoints: what was
     * not begun by then is whoever's who goes on from there.
     */
    Future<Void> stop(Duration stopTimeout) {
        meters.remove();
        breaker.stop();
        Timer over = delivery.vertx().timer(Math.max(1, stopTimeout.toMillis()), TimeUnit.MILLISECONDS);
        return Future.any(dispatcher.stop(), over).compose(v -> {
            over.cancel();
            sender.withdraw();
            return dispatcher.finish();
        });
    }
}
