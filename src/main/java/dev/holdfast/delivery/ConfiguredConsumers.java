package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.journal.Backlogs.Backlog;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.ConsumerMarks;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The consumers that are wanted, be they delivered to, paused, or yet to start. Changed on the delivery's event loop; public methods
 * may be called from any thread.
 */
public final class ConfiguredConsumers {
    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredConsumers.class);
    private static final long RESUME_MILLIS = 1_000;
    private static final String PAUSED = "is paused from now on: pushes are kept for it until it is resumed";

    private final DeliveryContext delivery;
    private final Duration stopTimeout;
    private final Map<String, ConfiguredConsumer> consumers = new ConcurrentHashMap<>();
    /** What is done to each last, be it wanted or no longer: the next thing waits for its end. */
    private final Map<String, Future<?>> turns = new HashMap<>();

    /** Those that can't go on yet. */
    private final Set<ConfiguredConsumer> triedAgain = new HashSet<>();

    private Future<?> marking = Future.succeededFuture();
    private volatile boolean complete;

    /** @param stopTimeout how long batches under way are waited for when a consumer is to stop */
    ConfiguredConsumers(DeliveryContext delivery, Duration stopTimeout) {
        this.delivery = delivery;
        this.stopTimeout = stopTimeout;
    }

    public Set<String> names() {
        return Set.copyOf(consumers.keySet());
    }

    /** Those that can be delivered to, also while they are paused. */
    public Set<String> there() {
        return all().filter(ConfiguredConsumer::isThere)
                .map(ConfiguredConsumer::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Which events each of them wants, by name. */
    public Map<String, Predicate<String>> wants() {
        return all().collect(Collectors.toMap(ConfiguredConsumer::name, one -> one::wants));
    }

    /** Any thread. */
    Stream<ConfiguredConsumer> all() {
        return consumers.values().stream();
    }

    /** One of them; null: it is not configured. Any thread. */
    @Nullable
    ConfiguredConsumer get(String consumer) {
        return consumers.get(consumer);
    }

    /** What delivers to a consumer; null: nothing does at the moment. */
    @Nullable
    Subscription subscription(String consumer) {
        ConfiguredConsumer one = get(consumer);
        return one == null ? null : one.subscription();
    }

    /** Each of the configuration is reserved: replays for others are for nobody. */
    public void complete() {
        complete = true;
    }

    /** Whether a consumer may be configured. */
    boolean knows(String consumer) {
        return !complete || consumers.containsKey(consumer);
    }

    /**
     * Keeps a consumer's place: from now on nothing is given up that it has not had, and nothing at all until its place is known. A
     * new one gets its place where its configuration says; that is durable when the future succeeds.
     */
    public Future<Void> reserve(ConsumerConfig config) {
        return delivery.onContext(() -> {
            ConfiguredConsumer one =
                    consumers.computeIfAbsent(config.name(), fresh -> new ConfiguredConsumer(delivery, config));
            one.configure(config);
            return one.place().mapEmpty();
        });
    }

    /** One thing after the other is done to a consumer, in the order of the calls. */
    private <T> Future<T> inTurn(String consumer, Supplier<Future<T>> step) {
        Future<?> before = turns.getOrDefault(consumer, Future.succeededFuture());
        Future<T> done = before.transform(ended -> step.get());
        turns.put(consumer, done);
        return done.andThen((result, failure) -> turns.remove(consumer, done));
    }

    /** Begins to deliver to a consumer whose place is reserved, unless it is paused; fails for one that was removed before. */
    public Future<Void> add(ConsumerConfig config, ConsumerContext verticle) {
        String name = config.name();
        return delivery.onContext(() -> inTurn(name, () -> {
            ConfiguredConsumer one = get(name);
            if (one == null) {
                return Future.failedFuture("consumer " + name + " is no longer wanted");
            }
            one.configure(config);
            return one.end(stopTimeout).transform(ended -> one.begin(verticle));
        }));
    }

    /**
     * Stops delivering to a consumer for good: pushes are no longer kept for it. Succeeds when what was under way is
     * acknowledged, or the timeout over, and its position kept.
     */
    public Future<Void> remove(String consumer) {
        return delivery.onContext(() -> inTurn(consumer, () -> {
            ConfiguredConsumer gone = consumers.remove(consumer);
            if (gone == null) {
                return Future.succeededFuture();
            }
            gone.meters().remove();
            return gone.takeOut(stopTimeout);
        }));
    }

    /** Like {@link #remove}, until the consumer is added again: pushes it has not had are kept for it meanwhile. */
    public Future<Void> takeOut(String consumer) {
        return takeOut(consumer, stopTimeout);
    }

    private Future<Void> takeOut(String consumer, Duration timeout) {
        return delivery.onContext(() -> inTurn(consumer, () -> {
            ConfiguredConsumer one = get(consumer);
            return one == null ? Future.succeededFuture() : one.takeOut(timeout);
        }));
    }

    /** All of them end, and whatever is done to one that is no longer configured: the end. */
    Future<Void> finish(Duration timeout) {
        return delivery.onContext(() -> {
            Set<String> names = new HashSet<>(turns.keySet());
            names.addAll(names());
            return Future.join(
                            names.stream().map(name -> takeOut(name, timeout)).toList())
                    .mapEmpty();
        });
    }

    /**
     * Gives a consumer no more pushes until it is resumed, however often the gateway is started: they are kept for it as for one
     * that is away, and so do replays wait for it. What is under way ends by itself. Succeeds when that is durable; false when no
     * such consumer is configured.
     */
    public Future<Boolean> pause(String consumer) {
        return mark(consumer, true);
    }

    /** Goes on with a consumer where it was paused. Succeeds when that is durable; false when no such consumer is configured. */
    public Future<Boolean> resume(String consumer) {
        return mark(consumer, false);
    }

    /** One after the other: what is not durable yet is not seen by the next. */
    private Future<Boolean> mark(String consumer, boolean paused) {
        return delivery.onContext(() -> {
            Future<Boolean> marked = marking.transform(before -> markNow(consumer, paused));
            marking = marked;
            return marked;
        });
    }

    /** One that is marked so may be otherwise: a write that failed may be there when the store is opened again. */
    private Future<Boolean> markNow(String consumer, boolean paused) {
        ConfiguredConsumer one = get(consumer);
        if (one == null) {
            return Future.succeededFuture(false);
        }
        Future<Void> marked = one.isPaused() == paused ? Future.succeededFuture() : keepMark(consumer, paused);
        return marked.map(kept -> {
            pauseOrGoOn(one);
            return true;
        });
    }

    private Future<Void> keepMark(String consumer, boolean paused) {
        ConsumerMarks marks = delivery.store().consumerMarks();
        return delivery.durable(paused ? marks.pause(consumer, System.currentTimeMillis()) : marks.resume(consumer))
                .map(kept -> {
                    LOG.atLevel(paused ? Level.WARN : Level.INFO)
                            .addKeyValue("consumer", consumer)
                            .log("{}: {}", consumer, paused ? PAUSED : "is resumed");
                    return null;
                });
    }

    /** However long the store is away, unless somebody takes the consumer out meanwhile. Tried and told once, however often asked. */
    private void pauseOrGoOn(ConfiguredConsumer one) {
        tryToGoOn(one).onFailure(failure -> {
            if (triedAgain.add(one)) {
                LOG.atWarn()
                        .addKeyValue("consumer", one.name())
                        .log("{}: can't go on yet, and is tried again: {}", one.name(), failure.toString());
                tryAgainLater(one);
            }
        });
    }

    private void tryAgainLater(ConfiguredConsumer one) {
        delivery.vertx()
                .setTimer(
                        RESUME_MILLIS,
                        timer -> tryToGoOn(one).onComplete(tried -> {
                            if (tried.succeeded()) {
                                triedAgain.remove(one);
                            } else {
                                tryAgainLater(one);
                            }
                        }));
    }

    private Future<Void> tryToGoOn(ConfiguredConsumer one) {
        return inTurn(one.name(), () -> one.pauseOrGoOn(stopTimeout));
    }

    void tick(long last) {
        subscriptions().forEach(subscription -> subscription.tick(last));
    }

    void offer(List<PushRecord> pushes) {
        subscriptions().forEach(subscription -> subscription.committed(pushes));
    }

    private Stream<Subscription> subscriptions() {
        return all().map(ConfiguredConsumer::subscription).filter(Objects::nonNull);
    }

    /**
     * Gives up what consumers have not had below a position, be they delivered to, paused, or yet to start. One that is stops for
     * that, and goes on from its new place.
     */
    Future<Void> giveUp(long below) {
        return delivery.onContext(() -> Future.join(all().filter(one -> one.isBehind(below))
                        .map(one -> giveUp(one, one.config(), below))
                        .toList())
                .mapEmpty());
    }

    /** Nothing where it was removed or configured anew before its turn came, since its hold may be another. */
    private Future<Void> giveUp(ConfiguredConsumer one, ConsumerConfig asked, long below) {
        return inTurn(
                one.name(),
                () -> get(one.name()) == one && one.config().equals(asked) && one.isBehind(below)
                        ? one.giveUp(below).andThen((given, failure) -> pauseOrGoOn(one))
                        : Future.succeededFuture());
    }

    /** Whether one of them wants an event. Any thread. */
    boolean want(String event) {
        for (ConfiguredConsumer one : consumers.values()) {
            if (one.wants(event)) {
                return true;
            }
        }
        return false;
    }

    /** How many positions each is behind whose place is known. */
    Map<String, Long> lags() {
        Map<String, Long> lags = new HashMap<>();
        consumers.forEach((name, one) -> {
            double lag = one.meters().lag();
            if (!Double.isNaN(lag)) {
                lags.put(name, (long) lag);
            }
        });
        return lags;
    }

    /** What each of them has not had. Any thread. */
    List<Backlog> backlogs() {
        return all().map(ConfiguredConsumer::backlog).toList();
    }

    /** How long pushes that a consumer has not had are kept at least; for one that is not configured not at all. */
    Duration hold(String consumer) {
        ConfiguredConsumer one = get(consumer);
        return one == null ? Duration.ZERO : one.config().hold();
    }
}
