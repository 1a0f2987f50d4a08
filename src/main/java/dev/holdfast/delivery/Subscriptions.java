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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The consumers: those that are delivered to, and what each needs, also of those that are paused or yet to start. Changed
 * on the delivery's event loop; looked at by any thread.
 */
final class Subscriptions {
    /** The events a consumer wants, and the lowest position it may still need. */
    private record Need(Patterns events, LongSupplier from) {
        Need(ConsumerConfig config, LongSupplier from) {
            this(new Patterns(config.events()), from);
        }
    }

    private final DeliveryContext delivery;
    private final Duration patience;
    private final Map<String, Subscription> running = new ConcurrentHashMap<>();
    private final Map<String, Need> needs = new ConcurrentHashMap<>();
    private volatile boolean complete;
    /** Consumers whose place is being looked up, each with the one addition that is still wanted. */
    private final Map<String, Object> adding = new HashMap<>();

    /** @param patience how long batches under way are waited for when a consumer is to stop */
    Subscriptions(DeliveryContext delivery, Duration patience) {
        this.delivery = delivery;
        this.patience = patience;
    }

    /** Those that are delivered to. */
    Set<String> names() {
        return Set.copyOf(running.keySet());
    }

    /** Those that are wanted: delivered to, paused, or yet to start. */
    Set<String> configured() {
        return Set.copyOf(needs.keySet());
    }

    /** Which events each wants that is delivered to. */
    Map<String, Predicate<String>> wants() {
        return running.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().subscribed()));
    }

    @Nullable
    Subscription get(String consumer) {
        return running.get(consumer);
    }

    /** See {@link Delivery#reserve}. */
    Future<Resumption> reserve(ConsumerConfig config) {
        Need present = needs.get(config.name());
        // Nothing at all may be given up until its place is known.
        Need unknown = new Need(config, present == null ? () -> 0 : present.from());
        needs.put(config.name(), unknown);
        return delivery.reader()
                .executeBlocking(() -> Resumption.of(config, delivery.journal(), delivery.store()), false)
                .compose(start -> needs.replace(config.name(), unknown, new Need(config, start::neededFrom))
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

    /** See {@link Delivery#add}. Whoever removes or pauses the consumer meanwhile has the last word. */
    Future<Void> add(ConsumerConfig config, ConsumerContext consumer) {
        Object addition = new Object();
        adding.put(config.name(), addition);
        return reserve(config).map(start -> {
            if (adding.remove(config.name(), addition)) {
                begin(config, new Subscription(config, consumer, start, delivery));
            }
            return null;
        });
    }

    private void begin(ConsumerConfig config, Subscription subscription) {
        running.put(config.name(), subscription);
        needs.put(config.name(), new Need(config, subscription::neededFrom));
        subscription.tick(delivery.journal().lastSeq());
    }

    /** See {@link Delivery#remove}. */
    Future<Void> remove(String consumer) {
        needs.remove(consumer);
        return pause(consumer);
    }

    /** See {@link Delivery#pause}. */
    Future<Void> pause(String consumer) {
        adding.remove(consumer);
        Subscription subscription = running.remove(consumer);
        return subscription == null ? Future.succeededFuture() : subscription.stop(patience);
    }

    void tick(long last) {
        running.values().forEach(subscription -> subscription.tick(last));
    }

    void offer(List<PushRecord> pushes) {
        running.values().forEach(subscription -> subscription.committed(pushes));
    }

    /** Whether some consumer, delivered to at the moment or not, wants an event. */
    boolean want(String event) {
        for (Need need : needs.values()) {
            if (need.events().match(event)) {
                return true;
            }
        }
        return false;
    }

    /** The lowest position that some consumer, delivered to at the moment or not, may still need. */
    long neededFrom() {
        return needs.values().stream()
                .mapToLong(need -> need.from().getAsLong())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    List<ConsumerState> states() {
        return running.values().stream().map(Subscription::state).toList();
    }

    /** Every consumer that is configured has its place from now on. */
    void complete() {
        complete = true;
    }

    /** Whether a consumer may be configured, running or not. */
    boolean knows(String consumer) {
        return !complete || needs.containsKey(consumer);
    }
}
