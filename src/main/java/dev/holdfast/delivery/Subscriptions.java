package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.journal.Backlogs.Backlog;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.LedgerCause;
import dev.holdfast.store.Positions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumers: those that are delivered to, and what each needs, also of those that are paused or yet to start. Changed
 * on the delivery's event loop; public methods may be called from any thread.
 */
public final class Subscriptions {
    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);
    private static final long RESUME_MILLIS = 1_000;
    /** How long batches under way are waited for when their consumer is to give up pushes: the disk fills meanwhile. */
    private static final Duration GIVING_UP_TIMEOUT = Duration.ofSeconds(5);
    /** Longer than any push is old. */
    private static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);

    /** The events a consumer wants, and the lowest position it may still need; 0: that is being looked up. */
    private record Need(ConsumerConfig config, Patterns events, LongSupplier from) {
        Backlog backlog() {
            long needed = from.getAsLong();
            return new Backlog("consumer " + config.name(), needed, needed == 0 ? FOR_EVER : config.hold());
        }
    }

    /** A consumer whose verticle is there. */
    private record Present(ConsumerConfig config, ConsumerContext consumer) {}

    private final DeliveryContext delivery;
    private final Duration stopTimeout;
    private final Map<String, Subscription> running = new ConcurrentHashMap<>();
    /** Those that can be delivered to, also while they are paused. */
    private final Map<String, Present> present = new ConcurrentHashMap<>();

    private final Map<String, Need> needs = new ConcurrentHashMap<>();
    private final Map<String, BacklogMeters> meters = new ConcurrentHashMap<>();
    private volatile boolean complete;
    /** Deliveries that end: what is under way is waited for, and the last checkpoint. */
    private final Map<String, Future<Void>> ending = new HashMap<>();

    /** Consumers whose place is being looked up, each with the one addition that is still wanted. */
    private final Map<String, Object> adding = new HashMap<>();

    private Future<Void> givingUp = Future.succeededFuture();

    /** @param stopTimeout how long batches under way are waited for when a consumer is to stop */
    Subscriptions(DeliveryContext delivery, Duration stopTimeout) {
        this.delivery = delivery;
        this.stopTimeout = stopTimeout;
    }

    /** Those that can be delivered to, also while they are paused. */
    Set<String> names() {
        return Set.copyOf(present.keySet());
    }

    /** Those that are wanted: delivered to, paused, or yet to start. */
    public Set<String> configured() {
        return Set.copyOf(needs.keySet());
    }

    /** The configurations of those that are wanted. */
    List<ConsumerConfig> configs() {
        return needs.values().stream().map(Need::config).toList();
    }

    /** Which events each wants that can be delivered to, by name. */
    public Map<String, Predicate<String>> wants() {
        Map<String, Predicate<String>> wants = new HashMap<>();
        present.keySet().forEach(name -> {
            Need need = needs.get(name);
            if (need != null) {
                wants.put(name, need.events()::match);
            }
        });
        return wants;
    }

    /** The lowest position that one may still need; 0: that is not known. Any thread. */
    long neededFrom(String consumer) {
        Need need = needs.get(consumer);
        return need == null ? 0 : need.from().getAsLong();
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
        Need unknown = new Need(config, events, present == null ? () -> 0 : present.from());
        needs.put(config.name(), unknown);
        GivenUp.counter(delivery.registry(), LedgerCause.GIVEN_UP, config.name());
        meters.computeIfAbsent(config.name(), name -> new BacklogMeters(delivery, name, () -> neededFrom(name)));
        return delivery.reader()
                .executeBlocking(() -> Resumption.of(config, delivery.journal(), delivery.store()), false)
                .compose(start -> needs.replace(config.name(), unknown, new Need(config, events, start::neededFrom))
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
        // Both in the order of the calls: where there is a position, it is known where it began.
        return Future.join(
                        stored(delivery.store().consumerMarks().began(consumer, start.position())),
                        stored(positions.save(first)))
                .map(start);
    }

    private Future<Void> stored(CompletionStage<Void> written) {
        return Future.fromCompletionStage(written, delivery.context());
    }

    /**
     * Begins to deliver to a consumer, from its place, unless it is paused. Whoever removes, takes out or pauses it meanwhile has
     * the last word.
     */
    public Future<Void> add(ConsumerConfig config, ConsumerContext consumer) {
        return delivery.onContext(() -> {
            Object addition = new Object();
            adding.put(config.name(), addition);
            return ended(config.name()).transform(ended -> place(config)).map(start -> {
                if (adding.remove(config.name(), addition)) {
                    present.put(config.name(), new Present(config, consumer));
                    if (isPaused(config.name())) {
                        LOG.warn("{}: is paused: pushes are kept for it until it is resumed", config.name());
                    } else {
                        begin(config, new Subscription(config, consumer, start, delivery));
                    }
                }
                return null;
            });
        });
    }

    private boolean isPaused(String consumer) {
        return delivery.store().consumerMarks().paused().containsKey(consumer);
    }

    private void begin(ConsumerConfig config, Subscription subscription) {
        running.put(config.name(), subscription);
        needs.put(config.name(), new Need(config, subscription.events(), subscription::neededFrom));
        subscription.tick(delivery.journal().lastSeq());
    }

    /**
     * Stops delivering to a consumer for good: pushes are no longer kept for it. Succeeds when what was under way is
     * acknowledged, or the timeout over, and its position kept.
     */
    public Future<Void> remove(String consumer) {
        return delivery.onContext(() -> {
            needs.remove(consumer);
            BacklogMeters backlog = meters.remove(consumer);
            if (backlog != null) {
                backlog.remove();
            }
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
        return end(consumer);
    }

    /** Succeeds when nothing is under way any more and its position is kept, or the timeout is over. */
    private Future<Void> end(String consumer) {
        Subscription subscription = running.remove(consumer);
        if (subscription != null) {
            Future<Void> end = subscription.stop(stopTimeout);
            ending.put(consumer, end);
            return end.andThen((ended, failure) -> ending.remove(consumer, end));
        }
        return ended(consumer);
    }

    private Future<Void> ended(String consumer) {
        return ending.getOrDefault(consumer, Future.succeededFuture());
    }

    /** All of them end: the end. */
    Future<Void> finish() {
        return delivery.onContext(() -> {
            List<Future<Void>> ends = new ArrayList<>(ending.values());
            Set.copyOf(running.keySet()).forEach(name -> ends.add(stop(name)));
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
            if (!needs.containsKey(consumer)) {
                return Future.succeededFuture(false);
            }
            if (isPaused(consumer)) {
                return Future.succeededFuture(true);
            }
            return Future.fromCompletionStage(
                            delivery.store().consumerMarks().pause(consumer, System.currentTimeMillis()),
                            delivery.context())
                    .map(paused -> {
                        LOG.warn("{}: is paused from now on: pushes are kept for it until it is resumed", consumer);
                        var unused = end(consumer);
                        return true;
                    });
        });
    }

    /** Goes on with a consumer where it was paused. Succeeds when that is durable; false when no such consumer is configured. */
    public Future<Boolean> resume(String consumer) {
        return delivery.onContext(() -> {
            if (!needs.containsKey(consumer)) {
                return Future.succeededFuture(false);
            }
            if (!isPaused(consumer)) {
                return Future.succeededFuture(true);
            }
            return Future.fromCompletionStage(delivery.store().consumerMarks().resume(consumer), delivery.context())
                    .map(resumed -> {
                        LOG.info("{}: is resumed", consumer);
                        deliverAgain(consumer);
                        return true;
                    });
        });
    }

    /** However long the store is away, unless somebody has taken it out or paused it again. */
    private void deliverAgain(String consumer) {
        Present back = present.get(consumer);
        if (back == null || running.containsKey(consumer) || isPaused(consumer)) {
            return;
        }
        var unused = givingUp.transform(given -> add(back.config(), back.consumer()))
                .andThen((added, failure) -> {
                    if (failure != null) {
                        LOG.warn("{}: can't go on yet, and is tried again", consumer, failure);
                        delivery.vertx().setTimer(RESUME_MILLIS, timer -> deliverAgain(consumer));
                    }
                });
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

    /**
     * Age in seconds of the oldest push that a consumer has not had, delivered to at the moment or not; 0: it has had all; not a
     * number: nobody knows. Any thread that may block: reads the disk.
     */
    public double ageSeconds(String consumer) {
        BacklogMeters backlog = meters.get(consumer);
        return backlog == null ? Double.NaN : backlog.ageSeconds();
    }

    /** How many positions each is behind that is configured and whose place is known. Any thread. */
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

    /** What each of them has not had. Any thread. */
    List<Backlog> backlogs() {
        return needs.values().stream().map(Need::backlog).toList();
    }

    /** How long pushes that a consumer has not had are kept at least; for one that is not configured not at all. Any thread. */
    Duration hold(String consumer) {
        Need need = needs.get(consumer);
        return need == null ? Duration.ZERO : need.config().hold();
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
            givingUp = Future.join(needs.values().stream()
                            .filter(need -> isBehind(need, below))
                            .map(need -> giveUp(need, below))
                            .toList())
                    .mapEmpty();
            return givingUp;
        });
    }

    private boolean isBehind(Need need, long below) {
        long from = need.from().getAsLong();
        return from > 0 && from < below && !adding.containsKey(need.config().name());
    }

    private Future<Void> giveUp(Need need, long below) {
        String consumer = need.config().name();
        Subscription active = running.get(consumer);
        if (active == null) {
            return ended(consumer)
                    .transform(ended -> moved(need, below))
                    .compose(v -> resumption(need))
                    .map(start -> {
                        needs.replace(consumer, need, new Need(need.config(), need.events(), start::neededFrom));
                        return null;
                    });
        }
        return active.stop(GIVING_UP_TIMEOUT)
                .transform(stopped -> moved(need, below))
                .transform(moved -> resume(need, active)
                        .compose(v -> moved.succeeded()
                                ? Future.<Void>succeededFuture()
                                : Future.failedFuture(moved.cause())));
    }

    private Future<Void> moved(Need need, long below) {
        GivenUp given =
                new GivenUp(delivery, LedgerCause.GIVEN_UP, need.config().name());
        return delivery.reader()
                .executeBlocking(
                        () -> {
                            given.below(
                                    below,
                                    push -> need.events().match(push.envelope().event()));
                            return null;
                        },
                        false);
    }

    private Future<Resumption> resumption(Need need) {
        return delivery.reader()
                .executeBlocking(() -> Resumption.of(need.config(), delivery.journal(), delivery.store()), false);
    }

    /** Goes on with a consumer that was stopped here, unless somebody else has stopped it too; however long the store is away. */
    private Future<Void> resume(Need need, Subscription stopped) {
        String consumer = need.config().name();
        if (running.get(consumer) != stopped) {
            return Future.succeededFuture();
        }
        return resumption(need)
                .map(start -> {
                    if (running.get(consumer) == stopped) {
                        begin(need.config(), stopped.from(start));
                    }
                    return (Void) null;
                })
                .recover(failure -> {
                    LOG.warn("{}: can't go on yet, and is tried again", consumer, failure);
                    return delivery.vertx()
                            .timer(RESUME_MILLIS, TimeUnit.MILLISECONDS)
                            .compose(v -> resume(need, stopped));
                });
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
