package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.Positions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The consumers: those that are delivered to, and what each needs, also of those that are paused or yet to start. Changed
 * on the delivery's event loop; public methods may be called from any thread.
 */
public final class Subscriptions {
    /** The events a consumer wants, and the lowest position it may still need. */
    private record Need(Patterns events, LongSupplier from) {}

    private final DeliveryContext delivery;
    private final Duration stopTimeout;
    private final Map<String, Subscription> running = new ConcurrentHashMap<>();
    private final Map<String, Need> needs = new ConcurrentHashMap<>();
    private volatile boolean complete;
    /** Consumers whose place is being looked up, each with the one addition that is still wanted. */
    private final Map<String, Object> adding = new HashMap<>();

    /** @param stopTimeout how long batches under way are waited for when a consumer is to stop */
    Subscriptions(DeliveryContext delivery, Duration stopTimeout) {
        this.delivery = delivery;
        this.stopTimeout = stopTimeout;
    }

    /** Those that are delivered to. */
    Set<String> names() {
        return Set.copyOf(running.keySet());
    }

    /** Those that are wanted: delivered to, paused, or yet to start. */
    public Set<String> configured() {
        return Set.copyOf(needs.keySet());
    }

    /** Which events each wants that is delivered to, by name. */
    public Map<String, Predicate<String>> wants() {
        Map<String, Predicate<String>> wants = new HashMap<>();
        running.forEach((name, subscription) -> wants.put(name, subscription.events()::match));
        return wants;
    }

    @Nullable
    Subscription get(String consumer) {
        return running.get(consumer);
    }

    /**
     * Keeps a consumer's place: from now on nothing is given up that it has not had. A new one gets its place where its
     * configuration says; that is durable when the future succeeds.
     */
    public Future<Void> reserve(ConsumerConfig config) {
        return delivery.onContext(() -> place(config).mapEmpty());
    }

    private Future<Resumption> place(ConsumerConfig config) {
        Need present = needs.get(config.name());
        // Nothing at all may be given up until its place is known.
        Patterns events = new Patterns(config.events());
        Need unknown = new Need(events, present == null ? () -> 0 : present.from());
        needs.put(config.name(), unknown);
        return delivery.reader()
                .executeBlocking(() -> Resumption.of(config, delivery.journal(), delivery.store()), false)
                .compose(start -> needs.replace(config.name(), unknown, new Need(events, start::neededFrom))
                        ? keep(config.name(), start)
                        : Future.succeededFuture(start));
    }

    /** A new one has a position from now on. */
    private Future<Resumption> keep(String consumer, Resumption start) {
        Positions positions = delivery.store().positions();
        if (positions.all().containsKey(consumer)) {
            return Future.succeededFuture(start);
        }
        Checkpoint first = new Checkpoint(consumer, start.position(), List.of(), List.of());
        return Future.fromCompletionStage(positions.save(first), delivery.context())
                .map(start);
    }

    /** Begins to deliver to a consumer, from its place. Whoever removes or pauses it meanwhile has the last word. */
    public Future<Void> add(ConsumerConfig config, ConsumerContext consumer) {
        return delivery.onContext(() -> {
            Object addition = new Object();
            adding.put(config.name(), addition);
            return place(config).map(start -> {
                if (adding.remove(config.name(), addition)) {
                    begin(config, new Subscription(config, consumer, start, delivery));
                }
                return null;
            });
        });
    }

    private void begin(ConsumerConfig config, Subscription subscription) {
        running.put(config.name(), subscription);
        needs.put(config.name(), new Need(subscription.events(), subscription::neededFrom));
        subscription.tick(delivery.journal().lastSeq());
    }

    /**
     * Stops delivering to a consumer for good: pushes are no longer kept for it. Succeeds when what was under way is
     * acknowledged, or the timeout over, and its position kept.
     */
    public Future<Void> remove(String consumer) {
        return delivery.onContext(() -> {
            needs.remove(consumer);
            return stop(consumer);
        });
    }

    /** Like {@link #remove}, until the consumer is added again: pushes it has not had are kept for it meanwhile. */
    public Future<Void> pause(String consumer) {
        return delivery.onContext(() -> stop(consumer));
    }

    private Future<Void> stop(String consumer) {
        adding.remove(consumer);
        Subscription subscription = running.remove(consumer);
        return subscription == null ? Future.succeededFuture() : subscription.stop(stopTimeout);
    }

    void tick(long last) {
        running.values().forEach(subscription -> subscription.tick(last));
    }

    void offer(List<PushRecord> pushes) {
        running.values().forEach(subscription -> subscription.committed(pushes));
    }

    /** Whether some consumer, delivered to at the moment or not, wants an event. */
    boolean want(String event) {
        return needs.values().stream().anyMatch(need -> need.events().match(event));
    }

    /** The lowest position that some consumer, delivered to at the moment or not, may still need. */
    long neededFrom() {
        return needs.values().stream()
                .mapToLong(need -> need.from().getAsLong())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** How it stands with each consumer that is delivered to. */
    public Future<List<ConsumerState>> states() {
        return delivery.onContext(() -> Future.succeededFuture(
                running.values().stream().map(Subscription::state).toList()));
    }

    /** Every consumer of the configuration is reserved or added: replays for others are for nobody. */
    public void complete() {
        complete = true;
    }

    /** Whether a consumer may be configured, running or not. */
    boolean knows(String consumer) {
        return !complete || needs.containsKey(consumer);
    }
}
