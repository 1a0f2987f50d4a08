package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.delivery.ConfiguredConsumers.Need;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumers that are there, and among them those that are delivered to: not the paused ones. Changed on the delivery's event
 * loop; public methods may be called from any thread.
 */
public final class Subscriptions {
    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);
    private static final long RESUME_MILLIS = 1_000;
    /** How long batches under way are waited for when their consumer is to give up pushes: the disk fills meanwhile. */
    private static final Duration GIVING_UP_TIMEOUT = Duration.ofSeconds(5);

    /** A consumer whose verticle is there. */
    private record Present(ConsumerConfig config, ConsumerContext consumer) {}

    private final DeliveryContext delivery;
    private final ConfiguredConsumers consumers;
    private final Duration stopTimeout;
    private final Map<String, Subscription> running = new ConcurrentHashMap<>();
    /** Those that can be delivered to, also while they are paused. */
    private final Map<String, Present> present = new ConcurrentHashMap<>();

    /**
     * Deliveries that end: what is under way is waited for, and the last checkpoint, and what is given up behind it. Nobody goes
     * on with a consumer before that.
     */
    private final Map<String, Future<Void>> ending = new HashMap<>();

    /** Consumers whose place is being looked up, each with the one addition that is still wanted. */
    private final Map<String, Object> adding = new HashMap<>();

    private Future<Void> givingUp = Future.succeededFuture();
    /** Nobody is delivered to any more, be it that the place was being looked up. */
    private boolean finished;

    /** @param stopTimeout how long batches under way are waited for when a consumer is to stop */
    Subscriptions(DeliveryContext delivery, ConfiguredConsumers consumers, Duration stopTimeout) {
        this.delivery = delivery;
        this.consumers = consumers;
        this.stopTimeout = stopTimeout;
    }

    /** Those that can be delivered to, also while they are paused. */
    public Set<String> names() {
        return Set.copyOf(present.keySet());
    }

    @Nullable
    Subscription get(String consumer) {
        return running.get(consumer);
    }

    /**
     * Begins to deliver to a consumer whose place is reserved, unless it is paused. Whoever removes, takes out or pauses it
     * meanwhile has the last word: it fails for one that was removed before.
     */
    public Future<Void> add(ConsumerConfig config, ConsumerContext consumer) {
        return delivery.onContext(() -> {
            if (!consumers.contains(config.name())) {
                return Future.failedFuture("consumer " + config.name() + " is no longer wanted");
            }
            Object addition = new Object();
            adding.put(config.name(), addition);
            return end(config.name(), stopTimeout)
                    .transform(ended -> consumers.place(config))
                    .compose(position -> delivery.reading(
                            () -> Resumption.of(config, position, delivery.journal(), delivery.store())))
                    .<Void>map(start -> {
                        if (adding.remove(config.name(), addition) && !finished) {
                            present.put(config.name(), new Present(config, consumer));
                            begin(config, consumer, start);
                        }
                        return null;
                    })
                    // One that failed is not under way: nothing could be given up for the consumer before the next one.
                    .andThen((added, failure) -> adding.remove(config.name(), addition));
        });
    }

    private boolean isPaused(String consumer) {
        return delivery.store().consumerMarks().paused().containsKey(consumer);
    }

    private void begin(ConsumerConfig config, ConsumerContext consumer, Resumption start) {
        if (isPaused(config.name())) {
            LOG.warn("{}: is paused: pushes are kept for it until it is resumed", config.name());
            return;
        }
        Subscription subscription = new Subscription(config, consumer, start, delivery);
        running.put(config.name(), subscription);
        subscription.tick(delivery.journal().lastSeq());
    }

    /**
     * Stops delivering to a consumer for good: pushes are no longer kept for it. Succeeds when what was under way is
     * acknowledged, or the timeout over, and its position kept.
     */
    public Future<Void> remove(String consumer) {
        return delivery.onContext(() -> {
            consumers.remove(consumer);
            return stop(consumer);
        });
    }

    /** Like {@link #remove}, until the consumer is added again: pushes it has not had are kept for it meanwhile. */
    public Future<Void> takeOut(String consumer) {
        return delivery.onContext(() -> stop(consumer));
    }

    private Future<Void> stop(String consumer) {
        adding.remove(consumer);
        present.remove(consumer);
        return end(consumer, stopTimeout);
    }

    /** Succeeds when nothing is under way any more and its position is kept, or the timeout is over. */
    private Future<Void> end(String consumer, Duration timeout) {
        Subscription subscription = running.remove(consumer);
        return subscription == null ? ended(consumer) : ending(consumer, subscription.stop(timeout));
    }

    private Future<Void> ending(String consumer, Future<Void> end) {
        ending.put(consumer, end);
        return end.andThen((ended, failure) -> ending.remove(consumer, end));
    }

    private Future<Void> ended(String consumer) {
        return ending.getOrDefault(consumer, Future.succeededFuture());
    }

    /** All of them end: the end. */
    Future<Void> finish() {
        return delivery.onContext(() -> {
            finished = true;
            List<Future<Void>> ends = new ArrayList<>(ending.values());
            Set.copyOf(present.keySet()).forEach(name -> ends.add(stop(name)));
            return Future.join(ends).mapEmpty();
        });
    }

    /**
     * Gives a consumer no more pushes until it is resumed, however often the gateway is started: they are kept for it as for one
     * that is away, and so do replays wait for it. What is under way ends by itself. Succeeds when that is durable; false when no
     * such consumer is configured.
     */
    public Future<Boolean> pause(String consumer) {
        return delivery.onContext(() -> {
            if (!consumers.contains(consumer)) {
                return Future.succeededFuture(false);
            }
            if (isPaused(consumer)) {
                return Future.succeededFuture(true);
            }
            return delivery.durable(delivery.store().consumerMarks().pause(consumer, System.currentTimeMillis()))
                    .map(paused -> {
                        LOG.warn("{}: is paused from now on: pushes are kept for it until it is resumed", consumer);
                        var unused = end(consumer, stopTimeout);
                        return true;
                    });
        });
    }

    /** Goes on with a consumer where it was paused. Succeeds when that is durable; false when no such consumer is configured. */
    public Future<Boolean> resume(String consumer) {
        return delivery.onContext(() -> {
            if (!consumers.contains(consumer)) {
                return Future.succeededFuture(false);
            }
            if (!isPaused(consumer)) {
                return Future.succeededFuture(true);
            }
            return delivery.durable(delivery.store().consumerMarks().resume(consumer))
                    .map(resumed -> {
                        LOG.info("{}: is resumed", consumer);
                        var unused = deliverAgain(consumer);
                        return true;
                    });
        });
    }

    /** However long the store is away, unless somebody takes the consumer out or pauses it meanwhile. */
    private Future<Void> deliverAgain(String consumer) {
        Present back = present.get(consumer);
        if (back == null || running.containsKey(consumer) || isPaused(consumer)) {
            return Future.succeededFuture();
        }
        return add(back.config(), back.consumer()).recover(failure -> {
            LOG.warn("{}: can't go on yet, and is tried again: {}", consumer, failure.toString());
            return delivery.vertx().timer(RESUME_MILLIS, TimeUnit.MILLISECONDS).compose(v -> deliverAgain(consumer));
        });
    }

    void tick(long last) {
        running.values().forEach(subscription -> subscription.tick(last));
    }

    void offer(List<PushRecord> pushes) {
        running.values().forEach(subscription -> subscription.committed(pushes));
    }

    /**
     * Gives up what consumers have not had below a position, be they delivered to, paused, or yet to start. One that is stops for
     * that, and goes on from its new place; one whose place is being looked up is left as it is. Once at a time.
     */
    Future<Void> giveUp(long below) {
        return delivery.onContext(() -> {
            if (!givingUp.isComplete()) {
                return Future.failedFuture("the one before is still under way");
            }
            givingUp = Future.join(consumers.behind(below).stream()
                            .filter(need -> !adding.containsKey(need.consumer()))
                            .map(need -> giveUp(need, below))
                            .toList())
                    .mapEmpty();
            return givingUp;
        });
    }

    private Future<Void> giveUp(Need need, long below) {
        String consumer = need.consumer();
        return ending(consumer, end(consumer, GIVING_UP_TIMEOUT).transform(ended -> consumers.giveUp(need, below)))
                .eventually(() -> deliverAgain(consumer));
    }
}
