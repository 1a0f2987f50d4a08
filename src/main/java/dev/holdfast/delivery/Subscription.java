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

/** One consumer that is delivered to: its live feed, and its replays beside it. On the delivery's event loop, unless said. */
final class Subscription {
    private final String name;
    private final ConsumerConfig config;
    private final FeedContext shared;
    private final DeliveryMeters meters;
    private final Instances instances;
    private final BatchSender sender;
    private final Dispatcher dispatcher;
    private final LiveFeed live;
    private final HandledRate rate = new HandledRate();

    Subscription(
            ConsumerConfig config,
            ConsumerContext consumer,
            Resumption start,
            DeliveryContext delivery,
            DeliveryMeters meters) {
        this.name = config.name();
        this.config = config;
        CircuitBreaker breaker = new CircuitBreaker(name, config.retry(), delivery.vertx(), this::run);
        this.shared = new FeedContext(
                delivery, new LaneKeys(config.orderBy()), EventPattern.anyOf(config.events()), breaker, this::run);
        this.meters = meters;
        this.instances = new Instances(config, consumer, delivery.vertx());
        this.sender = new BatchSender(config, instances, delivery, meters, breaker);
        this.dispatcher = new Dispatcher(config.concurrency(), breaker, sender);
        this.live = new LiveFeed(start, delivery.limits().ofLanes(config.concurrency()), shared);
        dispatcher.add(live);
    }

    private void run() {
        dispatcher.run();
    }

    /** Without its lag and its dead letters, which {@link ConsumerViews} adds. */
    ConsumerState state() {
        return new ConsumerState(
                name,
                phase(),
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

    private Phase phase() {
        if (instances.areBlocked()) {
            return Phase.STUCK;
        }
        return shared.breaker().isClosed() ? Phase.RUNNING : Phase.SLOWED;
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
        instances.tick();
        dispatcher.tick();
        rate.tick(System.nanoTime(), meters.delivered.count());
    }

    /** Begins, or goes on with, the consumer's part of a replay. */
    ReplayFeed begin(Replay replay, Replay.Progress from, Resumption start, OrderedPushes source) {
        ReplayFeed feed = new ReplayFeed(replay, from, start, source, live);
        dispatcher.add(feed);
        return feed;
    }

    LaneKeys keys() {
        return shared.keys();
    }

    /**
     * Sends nothing more, waits for what is under way, but not beyond {@code stopTimeout}, and makes the last checkpoints: what was
     * not begun by then is whoever's who goes on from there.
     */
    Future<Void> stop(Duration stopTimeout) {
        shared.breaker().stop();
        Timer over = shared.delivery().vertx().timer(Math.max(1, stopTimeout.toMillis()), TimeUnit.MILLISECONDS);
        return Future.any(dispatcher.stop(), over).compose(v -> {
            over.cancel();
            instances.withdraw();
            return dispatcher.finish();
        });
    }
}
