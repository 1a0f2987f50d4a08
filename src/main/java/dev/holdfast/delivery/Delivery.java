package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.consumer.LocalCodec;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.DeadLetterFilter;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.Progress;
import dev.holdfast.journal.PushFilter;
import dev.holdfast.journal.Replay;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushCodec;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of journaled pushes to consumers. Follows the journal on one event loop: publishes each push live, and
 * offers it to each consumer's subscription. Public methods may be called from any thread once it is deployed.
 */
public final class Delivery extends VerticleBase {
    /** The events a consumer wants, and the lowest position it may still need. */
    private record Need(Patterns events, LongSupplier from) {
        Need(ConsumerConfig config, LongSupplier from) {
            this(new Patterns(config.events()), from);
        }
    }

    /** Bytes of committed pushes that may wait in memory for this event loop; those beyond are read from the journal. */
    private static final long MAX_PENDING = 48L * 1024 * 1024;

    /** What a push costs beside its body. */
    private static final int OVERHEAD = 512;

    private static final int READERS = 2;

    private final Journal journal;
    private final MeterRegistry registry;
    private final BusinessData businessData;
    private final PushWatcher watcher;
    private final Duration patience;
    private final Bounds bounds;
    private final Unsubscribed unsubscribed;
    private final AtomicLong pending = new AtomicLong();
    private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();
    /** What each consumer needs: also of those that are paused or yet to start. */
    private final Map<String, Need> needs = new ConcurrentHashMap<>();

    private Parts parts;
    private Publisher publisher;
    private Replays replays;

    /** @param patience how long batches under way are waited for when a consumer is to stop */
    public Delivery(
            Journal journal,
            MeterRegistry registry,
            BusinessData businessData,
            PushWatcher watcher,
            Duration patience) {
        this(journal, registry, businessData, watcher, patience, Bounds.STANDARD);
    }

    @SuppressWarnings("NullAway.Init") // the rest is set in start(), which comes before everything else
    Delivery(
            Journal journal,
            MeterRegistry registry,
            BusinessData businessData,
            PushWatcher watcher,
            Duration patience,
            Bounds bounds) {
        this.journal = journal;
        this.registry = registry;
        this.businessData = businessData;
        this.watcher = watcher;
        this.patience = patience;
        this.bounds = bounds;
        this.unsubscribed = new Unsubscribed(registry);
    }

    /** Teaches a bus the messages that pushes travel in. Once for each Vert.x. */
    public static void registerCodecs(Vertx vertx) {
        vertx.eventBus()
                .registerDefaultCodec(Push.class, new PushCodec())
                .registerDefaultCodec(PushBatch.class, new LocalCodec<>("push-batch"))
                .registerDefaultCodec(Receipt.class, new LocalCodec<>("receipt"));
    }

    @Override
    public Future<?> start() {
        parts = new Parts(
                vertx,
                context,
                vertx.createSharedWorkerExecutor("journal-reader", READERS),
                journal,
                registry,
                businessData,
                watcher,
                bounds);
        publisher = new Publisher(vertx.eventBus(), businessData);
        replays = new Replays(parts, subscriptions);
        journal.follow(this::committed);
        vertx.setPeriodic(bounds.tickMillis(), timer -> tick());
        return parts.reader().executeBlocking(journal::replays, false).onSuccess(kept -> kept.forEach(replays::begin));
    }

    /**
     * Keeps a consumer's place: from now on nothing is given up that it has not had. A new one gets its place where its
     * configuration says; that is durable when the future succeeds.
     */
    public Future<Void> reserve(ConsumerConfig config) {
        return onContext(() -> place(config).mapEmpty());
    }

    /** Begins to deliver to a consumer, from its place. */
    public Future<Void> add(ConsumerConfig config, ConsumerContext consumer) {
        return onContext(() -> place(config).map(start -> {
            Subscription subscription = new Subscription(config, consumer, start, parts);
            subscriptions.put(config.name(), subscription);
            needs.put(
                    config.name(), new Need(config, () -> subscription.durable().neededFrom()));
            subscription.countDeadLetters();
            subscription.tick(journal.lastSeq());
            return null;
        }));
    }

    private Future<Progress> place(ConsumerConfig config) {
        return parts.reader()
                .executeBlocking(() -> new StartPosition(journal, config).find(), false)
                .compose(start -> {
                    needs.put(config.name(), new Need(config, start::neededFrom));
                    return Future.fromCompletionStage(journal.saveCursor(config.name(), start), context)
                            .map(start);
                });
    }

    /**
     * Stops delivering to a consumer for good: pushes are no longer kept for it. Succeeds when what was under way is
     * acknowledged, or the patience over, and its position kept.
     */
    public Future<Void> remove(String consumer) {
        return onContext(() -> {
            needs.remove(consumer);
            return stop(consumer);
        });
    }

    /** Like {@link #remove}, until the consumer is added again: pushes it has not had are kept for it meanwhile. */
    public Future<Void> pause(String consumer) {
        return onContext(() -> stop(consumer));
    }

    private Future<Void> stop(String consumer) {
        Subscription subscription = subscriptions.remove(consumer);
        return subscription == null ? Future.succeededFuture() : subscription.stop(patience);
    }

    /**
     * Dead letters that match, in the order of consumer and position, from a place on.
     *
     * @param consumer where to begin; empty: with the first
     */
    public Future<List<DeadLetter>> deadLetters(DeadLetterFilter filter, String consumer, long seq, int max) {
        return reading(() -> new DeadLetters(journal).list(filter, consumer, seq, max));
    }

    /**
     * Brings the dead letters that match back to the lanes of their consumers, before whatever waits there. What was
     * handled in a lane meanwhile came before them. A letter stays one until it was handled. Those of consumers that don't
     * run stay.
     *
     * @return how many there are
     */
    public Future<Long> retryDeadLetters(DeadLetterFilter filter) {
        long last = journal.lastSeq();
        List<DeadLetterFilter> filters = subscriptions.keySet().stream()
                .filter(name -> filter.consumer() == null || filter.consumer().equals(name))
                .map(name -> filter.of(name, last))
                .toList();
        return reading(() -> filters.stream()
                        .mapToLong(one -> new DeadLetters(journal).count(one))
                        .sum())
                .onSuccess(count -> context.runOnContext(v -> filters.forEach(this::retry)));
    }

    private void retry(DeadLetterFilter filter) {
        Subscription subscription = filter.consumer() == null ? null : subscriptions.get(filter.consumer());
        if (subscription != null) {
            subscription.retry(filter);
        }
    }

    /**
     * Gives up the dead letters that match, but for those that are being retried.
     *
     * @param reason for the log
     * @return how many there were
     */
    public Future<Long> discardDeadLetters(DeadLetterFilter filter, String reason) {
        return reading(() -> new DeadLetters(journal).discard(filter, reason, this::isRetried))
                .andThen(done -> subscriptions.values().forEach(Subscription::countDeadLetters));
    }

    private boolean isRetried(DeadLetter letter) {
        Subscription subscription = subscriptions.get(letter.consumer());
        return subscription != null && subscription.isRetried(letter.push().seq());
    }

    /** How it stands with each consumer that is delivered to. */
    public Future<List<ConsumerState>> consumers() {
        Promise<List<ConsumerState>> states = Promise.promise();
        context.runOnContext(v -> states.complete(
                subscriptions.values().stream().map(Subscription::state).toList()));
        return states.future();
    }

    /** Pushes that match, in the order of their positions, at most {@code max}. */
    public Future<List<PushRecord>> pushes(PushFilter filter, int max) {
        return reading(() -> {
            List<PushRecord> found = new ArrayList<>();
            Replays.walk(journal, filter, push -> found.add(push) && found.size() < max);
            return found;
        });
    }

    /** How many pushes match. */
    public Future<Long> countPushes(PushFilter filter) {
        return reading(() -> {
            AtomicLong count = new AtomicLong();
            Replays.walk(journal, filter, push -> count.incrementAndGet() > 0);
            return count.get();
        });
    }

    /**
     * Begins to deliver the pushes again that match and are in the journal now, beside those that come in. In each lane they
     * come in the order of their positions, and before what waits there on its ordinary way. Goes on after a restart; some
     * that were under way then come once more.
     *
     * @param consumer to whom; null: to all there are
     * @param rate pushes a second at most
     * @return the replay, durable; fails with an {@link IllegalArgumentException} when there is no such consumer
     */
    public Future<Replay> replay(PushFilter wanted, @Nullable String consumer, int rate) {
        List<String> consumers = consumer == null ? List.copyOf(subscriptions.keySet()) : List.of(consumer);
        if (consumers.isEmpty() || !subscriptions.keySet().containsAll(consumers)) {
            return Future.failedFuture(
                    new IllegalArgumentException("found no such consumer, expected one of " + subscriptions.keySet()));
        }
        PushFilter filter = wanted.upTo(journal.lastSeq());
        String id = UUID.randomUUID().toString().substring(0, 8);
        long from = Math.max(filter.from(), journal.firstSeq());
        Replay replay = new Replay(id, consumers, filter, rate, from, 0, 0);
        return onContext(() -> Future.fromCompletionStage(journal.saveReplay(replay), context)
                        .onSuccess(v -> replays.begin(replay)))
                .map(replay);
    }

    /** Ends a replay; false when there is none of that id. */
    public Future<Boolean> stopReplay(String id) {
        AtomicBoolean found = new AtomicBoolean();
        return onContext(() -> {
                    found.set(replays.end(id));
                    return Future.fromCompletionStage(journal.removeReplay(id), context);
                })
                .map(v -> found.get());
    }

    /** The replays on their way, each as far as it has come. */
    public List<Replay> replays() {
        return replays.progress();
    }

    private <T> Future<T> reading(Callable<T> reading) {
        return parts.vertx().executeBlocking(reading, false);
    }

    /** The lowest position that some consumer, delivered to at the moment or not, or some replay may still need. */
    public long neededFrom() {
        return needs.values().stream()
                .mapToLong(need -> need.from().getAsLong())
                .reduce(replays.neededFrom(), Math::min);
    }

    /** Pauses every consumer: the end. */
    public Future<Void> finish() {
        return Future.join(List.copyOf(subscriptions.keySet()).stream()
                        .map(this::pause)
                        .toList())
                .mapEmpty();
    }

    /** On the journal's thread. */
    private void committed(List<PushRecord> pushes) {
        long bytes = OVERHEAD * (long) pushes.size();
        for (PushRecord push : pushes) {
            bytes += push.body().length;
        }
        long held = bytes;
        if (pending.addAndGet(held) - held > MAX_PENDING) {
            pending.addAndGet(-held);
        } else {
            context.runOnContext(v -> {
                offer(pushes);
                pending.addAndGet(-held);
            });
        }
    }

    /** With nothing on its way in memory, whatever was not offered never will be. */
    private void tick() {
        long last = pending.get() == 0 ? journal.lastSeq() : 0;
        subscriptions.values().forEach(subscription -> subscription.tick(last));
        replays.tick();
    }

    private void offer(List<PushRecord> pushes) {
        for (PushRecord push : pushes) {
            publisher.publish(push);
            watcher.published(push);
            String event = push.envelope().event();
            if (needs.values().stream().noneMatch(need -> need.events().match(event))) {
                unsubscribed.count(event);
            }
        }
        for (Subscription subscription : subscriptions.values()) {
            subscription.offer(pushes);
        }
    }

    private Future<Void> onContext(Supplier<Future<Void>> action) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(v -> action.get().onComplete(done));
        return done.future();
    }
}
