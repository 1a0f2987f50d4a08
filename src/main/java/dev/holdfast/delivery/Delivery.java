package dev.holdfast.delivery;

import dev.holdfast.consumer.LocalCodec;
import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.journal.Backlogs;
import dev.holdfast.journal.Journal;
import dev.holdfast.logging.Printable;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.store.LedgerCause;
import dev.holdfast.store.Store;
import dev.holdfast.tracing.PushTracer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delivery of journaled pushes to consumers. Follows the journal on one event loop: publishes each push live, and
 * offers it to each consumer's subscription. Public methods may be called from any thread once it has started. It is no verticle:
 * of a verticle Vert.x remembers each timer and each awaited answer, to end them with it, and there are two for each batch.
 */
public final class Delivery implements Backlogs {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final int READERS = 2;

    private final Journal journal;
    private final Store store;
    private final MeterRegistry registry;
    private final BusinessData businessData;
    private final PushWatcher watcher;
    private final PushTracer tracer;
    private final LiveListeners listeners;
    private final Duration stopTimeout;
    private final EventMeters events;
    private final EventMeters unsubscribed;
    private final Counter skipped;
    private Limits limits = Limits.STANDARD;
    private volatile long received;

    private Vertx vertx;
    private volatile ConfiguredConsumers consumers;
    private volatile ConsumerViews views;
    private RunningReplays replays;
    private PositionNotes notes;
    private long ticker;
    private HandOver handOver;

    /**
     * @param listeners of the Vert.x that this runs in
     * @param stopTimeout how long batches under way are waited for when a consumer is to stop
     */
    @SuppressWarnings("NullAway.Init") // the rest is set in start(), which comes before everything else
    public Delivery(
            Journal journal,
            Store store,
            MeterRegistry registry,
            BusinessData businessData,
            PushWatcher watcher,
            PushTracer tracer,
            LiveListeners listeners,
            Duration stopTimeout) {
        this.journal = journal;
        this.store = store;
        this.registry = registry;
        this.businessData = businessData;
        this.watcher = watcher;
        this.tracer = tracer;
        this.listeners = listeners;
        this.stopTimeout = stopTimeout;
        this.events = new EventMeters(registry, "holdfast.pushes", "Pushes that became durable, by event");
        this.unsubscribed = new EventMeters(
                registry,
                "holdfast.pushes.unsubscribed",
                "Pushes that no consumer subscribed to, by event; they are kept all the same");
        this.skipped = Counter.builder("holdfast.live.skipped")
                .description("Pushes that were not published live on the event bus because too many waited for that")
                .baseUnit("pushes")
                .register(registry);
    }

    /** Other ones, before it starts. */
    Delivery within(Limits other) {
        limits = other;
        return this;
    }

    /** Teaches a bus the messages that pushes travel in. Once for each Vert.x. */
    public static void registerCodecs(Vertx vertx) {
        vertx.eventBus()
                .registerDefaultCodec(Push.class, new LocalCodec<>("push", Push::copy))
                .registerDefaultCodec(PushBatch.class, new LocalCodec<>("push-batch"))
                .registerDefaultCodec(Receipt.class, new LocalCodec<>("receipt"));
    }

    /**
     * Succeeds when replays of a life before go on.
     *
     * @param context an event loop; no verticle's
     */
    public Future<Void> start(Context context) {
        return Future.future(started -> context.runOnContext(
                v -> Future.succeededFuture().compose(begun -> begin(context)).onComplete(started)));
    }

    private Future<Void> begin(Context context) {
        vertx = context.owner();
        received = System.nanoTime() - receivingNanos();
        DeliveryContext delivery = new DeliveryContext(
                vertx,
                context,
                vertx.createSharedWorkerExecutor("journal-reader", READERS),
                journal,
                store,
                registry,
                businessData,
                watcher,
                tracer,
                limits,
                () -> System.nanoTime() - received < receivingNanos());
        consumers = new ConfiguredConsumers(delivery, stopTimeout);
        views = new ConsumerViews(delivery, consumers);
        replays = new RunningReplays(delivery, consumers);
        notes = new PositionNotes(delivery);
        handOver = new HandOver(context, limits, System::nanoTime, this::offer);
        journal.follow(this::committed);
        ticker = vertx.setPeriodic(limits.tickMillis(), timer -> tick());
        return notes.restore().compose(v -> replays.resume());
    }

    /** For so long after a push others are expected: a tick's length, so that the next tick sees when they no longer are. */
    private long receivingNanos() {
        return TimeUnit.MILLISECONDS.toNanos(limits.tickMillis());
    }

    /**
     * Stops delivering to every consumer: the end. Nothing is read any more, even if Vert.x has to wait for a consumer.
     *
     * @param timeout how long batches under way are waited for
     */
    public Future<Void> finish(Duration timeout) {
        return consumers
                .finish(timeout)
                .eventually(replays::finish)
                .eventually(notes::finish)
                .andThen((done, failed) -> vertx.cancelTimer(ticker))
                .mapEmpty();
    }

    /** The consumers that are wanted, and delivered to where they are there. */
    public ConfiguredConsumers consumers() {
        return consumers;
    }

    /** What there is to be seen of them. */
    public ConsumerViews views() {
        return views;
    }

    /** Pushes and dead letters that are delivered again. */
    public RunningReplays replays() {
        return replays;
    }

    /** How many pushes each consumer of the configuration is behind, as far as that is known; before the start: none. */
    public Map<String, Long> lags() {
        ConfiguredConsumers known = consumers;
        return known == null ? Map.of() : known.lags();
    }

    @Override
    public List<Backlog> backlogs() {
        return Stream.concat(consumers.backlogs().stream(), replays.backlogs().stream())
                .toList();
    }

    /** A replay can't go on without them, and ends. */
    @Override
    public CompletionStage<Void> giveUp(long below) {
        return Future.join(consumers.giveUp(below), replays.giveUp(below))
                .<Void>mapEmpty()
                .toCompletionStage();
    }

    /** On the journal's thread. */
    private void committed(List<PushRecord> pushes) {
        received = System.nanoTime();
        if (!handOver.take(pushes)) {
            skipped.increment(pushes.size());
            count(pushes);
        }
    }

    /** Where nothing is on its way in memory, whatever was not offered never will be, and is to be read. */
    private void tick() {
        long last = handOver.isEmpty() ? journal.lastSeq() : 0;
        consumers.tick(last);
        replays.tick();
        notes.tick();
    }

    private void offer(List<PushRecord> pushes) {
        for (PushRecord push : pushes) {
            if (!listeners.publish(vertx.eventBus(), push, businessData)) {
                skipped.increment();
            }
            watcher.published(push);
        }
        count(pushes);
        consumers.offer(pushes);
    }

    /** Here and nowhere else, once for each push. Any thread. */
    private void count(List<PushRecord> pushes) {
        for (PushRecord push : pushes) {
            String event = push.envelope().event();
            events.count(event);
            if (!consumers.want(event)) {
                store.ledger().count(LedgerCause.UNSUBSCRIBED, push.endpoint());
                if (unsubscribed.count(event)) {
                    LOG.atWarn()
                            .addKeyValue("event", event)
                            .addKeyValue("endpoint", push.endpoint())
                            .log(
                                    "no consumer subscribed to {}: its pushes are kept, and delivered to nobody",
                                    Printable.line(event));
                }
            }
        }
    }
}
