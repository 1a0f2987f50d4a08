package dev.holdfast.delivery;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.delivery.ConfiguredConsumers.Need;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.ConsumerMarks;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
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
    /** What is done to each consumer last: the next thing waits for its end. */
    private final Map<String, Future<?>> turns = new HashMap<>();

    private Future<Void> givingUp = Future.succeededFuture();

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

    /** One thing after the other is done to a consumer, in the order of the calls. */
    private <T> Future<T> inTurn(String consumer, Supplier<Future<T>> step) {
        Future<?> before = turns.getOrDefault(consumer, Future.succeededFuture());
        Future<T> done = before.transform(ended -> step.get());
        turns.put(consumer, done);
        return done.andThen((result, failure) -> turns.remove(consumer, done));
    }

    /** Begins to deliver to a consumer whose place is reserved, unless it is paused; fails for one that was removed before. */
    public Future<Void> add(ConsumerConfig config, ConsumerContext consumer) {
        return delivery.onContext(() -> inTurn(
                config.name(),
                () -> end(config.name(), stopTimeout).transform(ended -> {
                    if (consumers.get(config.name()) == null) {
                        return Future.failedFuture("consumer " + config.name() + " is no longer wanted");
                    }
                    return begin(new Present(config, consumer));
                })));
    }

    private Future<Void> begin(Present one) {
        ConsumerConfig config = one.config();
        return consumers
                .place(config)
                .compose(position ->
                        delivery.reading(() -> Resumption.of(config, position, delivery.journal(), delivery.store())))
                .map(start -> {
                    present.put(config.name(), one);
                    if (isPaused(config.name())) {
                        LOG.warn("{}: is paused: pushes are kept for it until it is resumed", config.name());
                    } else {
                        DeliveryMeters meters =
                                requireNonNull(consumers.get(config.name())).meters();
                        Subscription subscription = new Subscription(config, one.consumer(), start, delivery, meters);
                        running.put(config.name(), subscription);
                        subscription.tick(delivery.journal().lastSeq());
                    }
                    return null;
                });
    }

    private boolean isPaused(String consumer) {
        return delivery.store().consumerMarks().paused().containsKey(consumer);
    }

    /**
     * Stops delivering to a consumer for good: pushes are no longer kept for it. Succeeds when what was under way is
     * acknowledged, or the timeout over, and its position kept.
     */
    public Future<Void> remove(String consumer) {
        return delivery.onContext(() -> inTurn(consumer, () -> {
            consumers.remove(consumer);
            return stop(consumer);
        }));
    }

    /** Like {@link #remove}, until the consumer is added again: pushes it has not had are kept for it meanwhile. */
    public Future<Void> takeOut(String consumer) {
        return delivery.onContext(() -> inTurn(consumer, () -> stop(consumer)));
    }

    private Future<Void> stop(String consumer) {
        present.remove(consumer);
        return end(consumer, stopTimeout);
    }

    /** Succeeds when nothing is under way any more and its position is kept, or the timeout is over. */
    private Future<Void> end(String consumer, Duration timeout) {
        Subscription subscription = running.remove(consumer);
        return subscription == null ? Future.succeededFuture() : subscription.stop(timeout);
    }

    /** All of them end, and whatever is done to one that is no longer configured: the end. */
    Future<Void> finish() {
        return delivery.onContext(() -> {
            Set<String> names = new HashSet<>(turns.keySet());
            names.addAll(consumers.names());
            return Future.join(names.stream()
                            .map(name -> inTurn(name, () -> stop(name)))
                            .toList())
                    .mapEmpty();
        });
    }

    /**
     * Gives a consumer no more pushes until it is resumed, however often the gateway is started: they are kept for it as for one
     * that is away, and so do replays wait for it. What is under way ends by itself. Succeeds when that is durable; false when no
     * such consumer is configured.
     */
    public Future<Boolean> pause(String consumer) {
        return pauses(consumer, true, store -> store.pause(consumer, System.currentTimeMillis()), () -> {
            LOG.warn("{}: is paused from now on: pushes are kept for it until it is resumed", consumer);
            var unused = inTurn(consumer, () -> end(consumer, stopTimeout));
        });
    }

    /** Goes on with a consumer where it was paused. Succeeds when that is durable; false when no such consumer is configured. */
    public Future<Boolean> resume(String consumer) {
        return pauses(consumer, false, store -> store.resume(consumer), () -> {
            LOG.info("{}: is resumed", consumer);
            deliverAgain(consumer);
        });
    }

    private Future<Boolean> pauses(
            String consumer, boolean wanted, Function<ConsumerMarks, CompletionStage<Void>> change, Runnable changed) {
        return delivery.onContext(() -> {
            boolean known = consumers.get(consumer) != null;
            if (!known || isPaused(consumer) == wanted) {
                return Future.succeededFuture(known);
            }
            return delivery.durable(change.apply(delivery.store().consumerMarks()))
                    .map(kept -> {
                        changed.run();
                        return true;
                    });
        });
    }

    /** However long the store is away, unless somebody takes the consumer out or pauses it meanwhile. */
    private void deliverAgain(String consumer) {
        inTurn(consumer, () -> {
                    Present back = present.get(consumer);
                    return back == null || running.containsKey(consumer) || isPaused(consumer)
                            ? Future.<Void>succeededFuture()
                            : begin(back);
                })
                .onFailure(failure -> {
                    LOG.warn("{}: can't go on yet, and is tried again: {}", consumer, failure.toString());
                    delivery.vertx().setTimer(RESUME_MILLIS, timer -> deliverAgain(consumer));
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
     * that, and goes on from its new place. Once at a time.
     */
    Future<Void> giveUp(long below) {
        return delivery.onContext(() -> {
            if (!givingUp.isComplete()) {
                return Future.failedFuture("the one before is still under way");
            }
            givingUp = Future.join(consumers.behind(below).stream()
                            .map(need -> inTurn(need.consumer(), () -> giveUp(need, below)))
                            .toList())
                    .mapEmpty();
            return givingUp;
        });
    }

    private Future<Void> giveUp(Need need, long below) {
        String consumer = need.consumer();
        if (!consumers.behind(below).contains(need)) {
            return Future.succeededFuture(); // whatever was done to it before
        }
        return end(consumer, GIVING_UP_TIMEOUT)
                .transform(ended -> consumers.giveUp(need, below))
                .andThen((given, failure) -> deliverAgain(consumer));
    }
}
