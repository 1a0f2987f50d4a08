package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.journal.Backlogs.Backlog;
import dev.holdfast.push.EventPattern;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.LedgerCause;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The consumers that are wanted, be they delivered to, paused, or yet to start: which events each wants, and the lowest position
 * that it may still need. Changed on the delivery's event loop, read by any thread.
 */
public final class ConfiguredConsumers {
    /** Longer than any push is old. */
    private static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);

    /** One of them, and the events it wants. */
    record Need(ConsumerConfig config, Predicate<String> events, DeliveryMeters meters) {
        String consumer() {
            return config.name();
        }
    }

    private final DeliveryContext delivery;
    private final Predicate<String> present;
    private final Map<String, Need> needs = new ConcurrentHashMap<>();
    private volatile boolean complete;

    /** @param present whether a consumer's verticle is there; any thread */
    ConfiguredConsumers(DeliveryContext delivery, Predicate<String> present) {
        this.delivery = delivery;
        this.present = present;
    }

    public Set<String> names() {
        return Set.copyOf(needs.keySet());
    }

    /** Which events each of them wants, by name. Any thread. */
    public Map<String, Predicate<String>> wants() {
        Map<String, Predicate<String>> wants = new HashMap<>();
        needs.forEach((name, need) -> wants.put(name, need.events()));
        return wants;
    }

    List<ConsumerConfig> configs() {
        return needs.values().stream().map(Need::config).toList();
    }

    /** One of them; null: it is not configured. Any thread. */
    @Nullable
    Need get(String consumer) {
        return needs.get(consumer);
    }

    /** Each of the configuration is reserved: replays for others are for nobody. Any thread. */
    public void complete() {
        complete = true;
    }

    /** Whether a consumer may be configured. */
    boolean knows(String consumer) {
        return !complete || needs.containsKey(consumer);
    }

    /**
     * Keeps a consumer's place: from now on nothing is given up that it has not had. A new one gets its place where its
     * configuration says; that is durable when the future succeeds. Any thread.
     */
    public Future<Void> reserve(ConsumerConfig config) {
        return delivery.onContext(() -> {
            keepFor(config);
            return place(config).mapEmpty();
        });
    }

    /** From now on nothing is given up that it has not had, and nothing at all until its place is known. */
    private void keepFor(ConsumerConfig config) {
        String name = config.name();
        GivenUp.counter(delivery.registry(), LedgerCause.GIVEN_UP, name);
        GivenUp.counter(delivery.registry(), LedgerCause.REPLAY_GIVEN_UP, name);
        Need before = needs.get(name);
        DeliveryMeters meters =
                before == null ? new DeliveryMeters(delivery, name, () -> present.test(name)) : before.meters();
        needs.put(name, new Need(config, EventPattern.anyOf(config.events()), meters));
    }

    /** The position behind which it begins or goes on, durable. */
    Future<Long> place(ConsumerConfig config) {
        String name = config.name();
        Long kept = delivery.store().positions().all().get(name);
        long start = Resumption.position(config, delivery.journal(), kept);
        return keep(name, kept, start).map(start);
    }

    private Future<Void> keep(String consumer, @Nullable Long kept, long start) {
        if (kept != null && kept == start) {
            return Future.succeededFuture();
        }
        // Both in the order of the calls: where there is a position, it is known where it began.
        Future<Void> began = kept == null
                ? delivery.durable(delivery.store().consumerMarks().began(consumer, start))
                : Future.succeededFuture();
        Checkpoint place = new Checkpoint(consumer, start, List.of(), List.of());
        return Future.join(began, delivery.durable(delivery.store().positions().save(place)))
                .mapEmpty();
    }

    /** Pushes are no longer kept for a consumer. */
    void remove(String consumer) {
        Need gone = needs.remove(consumer);
        if (gone != null) {
            gone.meters().remove();
        }
    }

    /** Those that may need something below a position; not those whose place is not known. */
    List<Need> behind(long below) {
        return needs.values().stream()
                .filter(need -> neededFrom(need) > 0 && neededFrom(need) < below)
                .toList();
    }

    /** The lowest position that it may still need; 0: that is not known. */
    private long neededFrom(Need need) {
        return delivery.store().blockedPushes().neededFrom(need.consumer());
    }

    /** Gives up for a consumer, which is not delivered to at the moment, what it has not had below a position. */
    Future<Void> giveUp(Need need, long below) {
        GivenUp given = new GivenUp(delivery, LedgerCause.GIVEN_UP, need.consumer());
        return delivery.givingUp(() -> {
            given.below(below, push -> need.events().test(push.envelope().event()));
            return null;
        });
    }

    /** Whether one of them wants an event. */
    boolean want(String event) {
        for (Need need : needs.values()) {
            if (need.events().test(event)) {
                return true;
            }
        }
        return false;
    }

    /** How many positions each is behind whose place is known. */
    Map<String, Long> lags() {
        Map<String, Long> lags = new HashMap<>();
        needs.forEach((name, need) -> {
            double lag = need.meters().lag();
            if (!Double.isNaN(lag)) {
                lags.put(name, (long) lag);
            }
        });
        return lags;
    }

    /** What each of them has not had. */
    List<Backlog> backlogs() {
        return needs.values().stream().map(this::backlog).toList();
    }

    private Backlog backlog(Need need) {
        long from = neededFrom(need);
        return new Backlog(
                "consumer " + need.consumer(),
                from,
                from == 0 ? FOR_EVER : need.config().hold());
    }

    /** How long pushes that a consumer has not had are kept at least; for one that is not configured not at all. */
    Duration hold(String consumer) {
        Need need = needs.get(consumer);
        return need == null ? Duration.ZERO : need.config().hold();
    }
}
