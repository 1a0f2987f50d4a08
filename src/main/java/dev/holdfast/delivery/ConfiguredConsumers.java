package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.journal.Backlogs.Backlog;
import dev.holdfast.push.EventPattern;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.LedgerCause;
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

/**
 * The consumers that are wanted, be they delivered to, paused, or yet to start: which events each wants, and the lowest position
 * that it may still need. Changed on the delivery's event loop, read by any thread.
 */
public final class ConfiguredConsumers {
    /** Longer than any push is old. */
    private static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);

    /** The events a consumer wants, and the lowest position it may still need; 0: that is being looked up. */
    record Need(ConsumerConfig config, Predicate<String> events, LongSupplier from) {
        String consumer() {
            return config.name();
        }

        private boolean isBehind(long position) {
            long needed = from.getAsLong();
            return needed > 0 && needed < position;
        }

        private Backlog backlog() {
            long needed = from.getAsLong();
            return new Backlog("consumer " + config.name(), needed, needed == 0 ? FOR_EVER : config.hold());
        }
    }

    private final DeliveryContext delivery;
    private final Map<String, Need> needs = new ConcurrentHashMap<>();
    private final Map<String, BacklogMeters> meters = new ConcurrentHashMap<>();
    private volatile boolean complete;

    ConfiguredConsumers(DeliveryContext delivery) {
        this.delivery = delivery;
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

    boolean contains(String consumer) {
        return needs.containsKey(consumer);
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
        return delivery.onContext(() -> place(config).mapEmpty());
    }

    /** The same, and where that is. */
    Future<Resumption> place(ConsumerConfig config) {
        Need present = needs.get(config.name());
        // Nothing at all may be given up until its place is known.
        Need unknown =
                new Need(config, EventPattern.anyOf(config.events()), present == null ? () -> 0 : present.from());
        needs.put(config.name(), unknown);
        GivenUp.counter(delivery.registry(), LedgerCause.GIVEN_UP, config.name());
        meters.computeIfAbsent(config.name(), name -> new BacklogMeters(delivery, name, () -> neededFrom(name)));
        return lookUp(unknown)
                .compose(start -> replace(unknown, start) ? keep(config.name(), start) : Future.succeededFuture(start));
    }

    private Future<Resumption> lookUp(Need need) {
        return delivery.reading(() -> Resumption.of(need.config(), delivery.journal(), delivery.store()));
    }

    private boolean replace(Need need, Resumption start) {
        return needs.replace(need.consumer(), need, new Need(need.config(), need.events(), start::neededFrom));
    }

    /** A new one has a position from now on. */
    private Future<Resumption> keep(String consumer, Resumption start) {
        Positions positions = delivery.store().positions();
        if (positions.all().containsKey(consumer)) {
            return Future.succeededFuture(start);
        }
        Checkpoint first = new Checkpoint(consumer, start.position(), List.of(), List.of());
        // Both in the order of the calls: where there is a position, it is known where it began.
        return Future.join(
                        delivery.durable(delivery.store().consumerMarks().began(consumer, start.position())),
                        delivery.durable(positions.save(first)))
                .map(start);
    }

    /** From now on a consumer is delivered to, and its place is where that has come. */
    void follow(ConsumerConfig config, LongSupplier neededFrom) {
        needs.put(config.name(), new Need(config, EventPattern.anyOf(config.events()), neededFrom));
    }

    /** Pushes are no longer kept for a consumer. */
    void remove(String consumer) {
        needs.remove(consumer);
        BacklogMeters backlog = meters.remove(consumer);
        if (backlog != null) {
            backlog.remove();
        }
    }

    /** Those that may need something below a position; not those whose place is being looked up. */
    List<Need> behind(long below) {
        return needs.values().stream().filter(need -> need.isBehind(below)).toList();
    }

    /** Gives up for a consumer, which is not delivered to at the moment, what it has not had below a position. */
    Future<Void> giveUp(Need need, long below) {
        GivenUp given = new GivenUp(delivery, LedgerCause.GIVEN_UP, need.consumer());
        return delivery.givingUp(() -> {
            given.below(below, push -> need.events().test(push.envelope().event()));
            return null;
        });
    }

    /** Looks up where a consumer stands that is not delivered to at the moment. */
    Future<Void> refresh(Need need) {
        return lookUp(need).map(start -> {
            replace(need, start);
            return null;
        });
    }

    /** The lowest position that one may still need; 0: that is not known. */
    long neededFrom(String consumer) {
        Need need = needs.get(consumer);
        return need == null ? 0 : need.from().getAsLong();
    }

    /** Whether one of them wants an event. */
    boolean want(String event) {
        return needs.values().stream().anyMatch(need -> need.events().test(event));
    }

    /**
     * Age in seconds of the oldest push that a consumer has not had; 0: it has had all; not a number: nobody knows. Any thread
     * that may block: reads the disk.
     */
    double ageSeconds(String consumer) {
        BacklogMeters backlog = meters.get(consumer);
        return backlog == null ? Double.NaN : backlog.ageSeconds();
    }

    /** How many positions each is behind whose place is known. */
    Map<String, Long> lags() {
        Map<String, Long> lags = new HashMap<>();
        long next = delivery.journal().lastSeq() + 1;
        needs.forEach((name, need) -> {
            long from = need.from().getAsLong();
            if (from > 0) {
                lags.put(name, Math.max(0, next - from));
            }
        });
        return lags;
    }

    /** What each of them has not had. */
    List<Backlog> backlogs() {
        return needs.values().stream().map(Need::backlog).toList();
    }

    /** How long pushes that a consumer has not had are kept at least; for one that is not configured not at all. */
    Duration hold(String consumer) {
        Need need = needs.get(consumer);
        return need == null ? Duration.ZERO : need.config().hold();
    }
}
