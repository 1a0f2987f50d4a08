package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.consumer.ConsumerState.Phase;
import dev.holdfast.journal.Backlogs.Backlog;
import dev.holdfast.push.EventPattern;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.LedgerCause;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that is wanted: its place in the journal, whether its verticle is there, and whether it is delivered to. Changed on
 * the delivery's event loop, one thing after the other, but for the configuration; read by any thread.
 */
final class ConfiguredConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredConsumer.class);
    /** Longer than any push is old. */
    private static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);
    /** How long batches under way are waited for when their consumer is to give up pushes: the disk fills meanwhile. */
    private static final Duration GIVING_UP_TIMEOUT = Duration.ofSeconds(5);

    private final DeliveryContext delivery;
    private final String name;
    private final DeliveryMeters meters;
    private volatile ConsumerConfig config;
    private volatile Predicate<String> events;
    /** null: it is not there. */
    private volatile @Nullable ConsumerContext verticle;
    /** null: it is not delivered to at the moment: its verticle is not there, it is paused, or pushes are given up for it. */
    private volatile @Nullable Subscription subscription;

    ConfiguredConsumer(DeliveryContext delivery, ConsumerConfig config) {
        this.delivery = delivery;
        this.name = config.name();
        this.config = config;
        this.events = EventPattern.anyOf(config.events());
        this.meters = new DeliveryMeters(delivery, name, this::isThere, this::live);
    }

    /** What it is from now on, and begins with the next time. */
    void configure(ConsumerConfig other) {
        config = other;
        events = EventPattern.anyOf(other.events());
    }

    String name() {
        return name;
    }

    ConsumerConfig config() {
        return config;
    }

    boolean wants(String event) {
        return events.test(event);
    }

    DeliveryMeters meters() {
        return meters;
    }

    /** Whether it can be delivered to, also while it is paused. */
    boolean isThere() {
        return verticle != null;
    }

    boolean isPaused() {
        return delivery.store().consumerMarks().paused().containsKey(name);
    }

    /** null: it is not delivered to at the moment. */
    @Nullable
    Subscription subscription() {
        return subscription;
    }

    private @Nullable LiveFeed live() {
        Subscription current = subscription;
        return current == null ? null : current.live();
    }

    /** Without lag, dead letters and the position of one that isn't delivered to, which {@link ConsumerViews} adds. On the event loop. */
    ConsumerState state() {
        Subscription current = subscription;
        if (current != null) {
            return current.state();
        }
        Phase phase = isPaused() ? Phase.PAUSED : isThere() ? Phase.RUNNING : Phase.STARTING;
        return new ConsumerState(name, phase, config.events(), config.verticle());
    }

    /** The position behind which it begins or goes on, durable. */
    Future<Long> place() {
        Long kept = delivery.store().positions().all().get(name);
        long start = Resumption.position(config, delivery.journal(), kept);
        if (kept != null && kept == start) {
            return Future.succeededFuture(start);
        }
        // Both in the order of the calls: where there is a position, it is known where it began.
        Future<Void> began = kept == null
                ? delivery.durable(delivery.store().consumerMarks().began(name, start))
                : Future.succeededFuture();
        Checkpoint place = new Checkpoint(name, start, List.of(), List.of());
        return Future.join(began, delivery.durable(delivery.store().positions().save(place)))
                .map(start);
    }

    /** Its verticle is there: delivers to it, unless it is paused. Not before the end of what it was delivered before. */
    Future<Void> begin(ConsumerContext consumer) {
        ConsumerConfig current = config;
        return place().compose(position ->
                        delivery.reading(() -> Resumption.of(current, position, delivery.journal(), delivery.store())))
                .map(start -> {
                    verticle = consumer;
                    if (isPaused()) {
                        LOG.atWarn()
                                .addKeyValue("consumer", name)
                                .log("{}: is paused: pushes are kept for it until it is resumed", name);
                    } else {
                        Subscription next = new Subscription(current, consumer, start, delivery, meters);
                        subscription = next;
                        next.tick(delivery.journal().lastSeq());
                    }
                    return null;
                });
    }

    /** Ends where it is paused, and begins again where it isn't. */
    Future<Void> pauseOrGoOn(Duration stopTimeout) {
        if (isPaused()) {
            return end(stopTimeout).otherwiseEmpty();
        }
        ConsumerContext there = verticle;
        return there == null || subscription != null ? Future.succeededFuture() : begin(there);
    }

    /** Delivers nothing more: succeeds when nothing is under way and its position is kept, or the timeout is over. */
    Future<Void> end(Duration timeout) {
        Subscription current = subscription;
        subscription = null;
        return current == null ? Future.succeededFuture() : current.stop(timeout);
    }

    /** The same, and its verticle is not there any more. */
    Future<Void> takeOut(Duration timeout) {
        verticle = null;
        return end(timeout);
    }

    /** Gives up what it has not had below a position; it is not delivered to any more then. */
    Future<Void> giveUp(long below) {
        return end(GIVING_UP_TIMEOUT)
                .transform(ended -> delivery.givingUp(() -> {
                    new GivenUp(delivery, LedgerCause.GIVEN_UP, name)
                            .below(below, push -> wants(push.envelope().event()));
                    return null;
                }));
    }

    /** Whether it may need something below a position; not while its place is not known. */
    boolean isBehind(long below) {
        long from = backlog().from();
        return from > 0 && from < below;
    }

    /** What it has not had; from 0 on while its place is not known. */
    Backlog backlog() {
        long from = delivery.store().blockedPushes().neededFrom(name);
        return new Backlog("consumer " + name, from, from == 0 ? FOR_EVER : config.hold());
    }
}
