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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of journaled pushes to consumers. Follows the journal on one event loop: publishes each push live, and
 * offers it to each consumer's subscription. Public methods may be called from any thread once it is deployed.
 */
public final class Delivery extends VerticleBase {
    /** Committed pushes that may wait in memory for this event loop; those beyond are read from the journal. */
    private static final int MAX_PENDING = 16_384;

    private static final long TICK_MILLIS = 200;
    private static final int READERS = 2;

    private final Journal journal;
    private final MeterRegistry registry;
    private final BusinessData businessData;
    private final PushWatcher watcher;
    private final Unsubscribed unsubscribed;
    private final AtomicInteger pending = new AtomicInteger();
    private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();
    /** What the consumers that are delivered to again soon need, from there on. */
    private final Map<String, Long> paused = new ConcurrentHashMap<>();

    private Parts parts;
    private Publisher publisher;
    private Replays replays;

    @SuppressWarnings("NullAway.Init") // the rest is set in start(), which comes before everything else
    public Delivery(Journal journal, MeterRegistry registry, BusinessData businessData, PushWatcher watcher) {
        this.journal = journal;
        this.registry = registry;
        this.businessData = businessData;
        this.watcher = watcher;
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
                watcher);
        publisher = new Publisher(vertx.eventBus(), businessData);
        replays = new Replays(parts, subscriptions);
        journal.follow(this::committed);
        vertx.setPeriodic(TICK_MILLIS, timer -> tick());
        return parts.reader().executeBlocking(journal::replays, false).onSuccess(kept -> kept.forEach(replays::begin));
    }

    /**
     * Begins to deliver to a consumer, from its kept position or, when it is new, from where its configuration says; that
     * position is durable when the future succeeds.
     */
    public Future<Void> add(ConsumerConfig config, ConsumerContext consumer) {
        return onContext(() -> parts.reader()
                .executeBlocking(() -> new StartPosition(journal, config).find(), false)
                .compose(start -> Future.fromCompletionStage(journal.saveCursor(config.name(), start), context)
                        .map(start))
                .map(start -> {
                    Subscription subscription = new Subscription(config, consumer, start, parts);
                    subscriptions.put(config.name(), subscription);
                    paused.remove(config.name());
                    subscription.countDeadLetters();
                    subscription.tick(journal.lastSeq());
                    return null;
                }));
    }

    /**
     * Stops delivering to a consumer for good: pushes are no longer kept for it. Succeeds when what was under way is
     * acknowledged and its position kept.
     */
    public Future<Void> remove(String consumer) {
        return onContext(() -> {
            paused.remove(consumer);
            return stop(consumer);
        });
    }

    /** Like {@link #remove}, until the consumer is added again: pushes it has not had are kept for it meanwhile. */
    public Future<Void> pause(String consumer) {
        return onContext(() -> {
            Subscription subscription = subscriptions.get(consumer);
            if (subscription != null) {
                paused.put(consumer, subscription.durable().neededFrom());
            }
            return stop(consumer);
        });
    }

    private Future<Void> stop(String consumer) {
        Subscription subscription = subscriptions.remove(consumer);
        return subscription == null ? Future.succeededFuture() : subscription.stop();
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

    /** The lowest position that some consumer may still need. */
    public long neededFrom() {
        LongStream delivered = subscriptions.values().stream()
                .mapToLong(subscription -> subscription.durable().neededFrom());
        LongStream waiting = paused.values().stream().mapToLong(Long::longValue);
        LongStream replayed = LongStream.of(replays.neededFrom());
        return LongStream.concat(LongStream.concat(delivered, waiting), replayed)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Stops delivering to everyone; succeeds when what was under way is acknowledged and every position kept. */
    public Future<Void> finish() {
        return Future.join(List.copyOf(subscriptions.keySet()).stream()
                        .map(this::remove)
                        .toList())
                .mapEmpty();
    }

    /** On the journal's thread. */
    private void committed(List<PushRecord> pushes) {
        if (pending.addAndGet(pushes.size()) > MAX_PENDING) {
            pending.addAndGet(-pushes.size());
        } else {
            context.runOnContext(v -> offer(pushes));
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
            if (subscriptions.values().stream()
                    .noneMatch(
                            subscription -> subscription.wants(push.envelope().event()))) {
                unsubscribed.count(push.envelope().event());
            }
        }
        for (Subscription subscription : subscriptions.values()) {
            subscription.offer(pushes);
        }
        pending.addAndGet(-pushes.size());
    }

    private Future<Void> onContext(Supplier<Future<Void>> action) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(v -> action.get().onComplete(done));
        return done.future();
    }
}
