package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.Unreadable;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPush.RetryState;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeliveryStatus;
import dev.holdfast.store.DeliveryStatus.State;
import dev.holdfast.store.Discard;
import dev.holdfast.store.Store;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How it stands with one push at each consumer: by the lanes of those that are delivered to, by what is kept of the others. A
 * push that is up to the position, and neither blocked nor a dead letter, counts as handled: that it was subscribed to at its time
 * nobody knows any more.
 */
final class DeliveryStatuses {
    private final DeliveryContext delivery;
    private final ConfiguredConsumers consumers;

    DeliveryStatuses(DeliveryContext delivery, ConfiguredConsumers consumers) {
        this.delivery = delivery;
        this.consumers = consumers;
    }

    /** At the consumers that are configured, and at those that have, or had, it as a dead letter; by name. Any thread. */
    Future<List<DeliveryStatus>> of(PushRecord push) {
        List<ConsumerConfig> wanting = consumers
                .all()
                .filter(one -> one.wants(push.envelope().event()))
                .map(ConfiguredConsumer::config)
                .toList();
        // The lanes come before the store: what leaves them meanwhile is found there.
        return delivery.viewing(() -> lanes(wanting, push))
                .compose(lanes -> delivery.onContext(() -> Future.succeededFuture(known(lanes, push.seq()))))
                .compose(known -> delivery.viewing(() -> statuses(known, push)));
    }

    private static Map<String, String> lanes(List<ConsumerConfig> wanting, PushRecord push) {
        return wanting.stream()
                .collect(Collectors.toMap(ConsumerConfig::name, config -> new LaneKeys(config.orderBy()).lane(push)));
    }

    /** What the lanes know of each, or else a look into the store, which blocks. On the delivery's event loop. */
    private Map<String, Supplier<DeliveryStatus>> known(Map<String, String> lanes, long seq) {
        Map<String, Supplier<DeliveryStatus>> known = new TreeMap<>();
        lanes.forEach((name, lane) -> {
            Subscription subscription = consumers.subscription(name);
            known.put(
                    name, subscription == null ? () -> away(name, seq) : running(name, subscription.live(), lane, seq));
        });
        return known;
    }

    private Supplier<DeliveryStatus> running(String name, Feed feed, String key, long seq) {
        Optional<DeliveryStatus> told = told(name, feed, key, seq);
        long front = feed.checkpoints().front();
        return () -> told.orElseGet(() -> kept(name, seq, front, null)).in(LaneKeys.shown(key));
    }

    /** Empty: the store may have a reference. */
    private Optional<DeliveryStatus> told(String name, Feed feed, String key, long seq) {
        Lane lane = feed.lanes().get(key);
        LaneEntry entry = lane == null ? null : lane.find(seq);
        if (lane != null && entry != null && lane.isInFlight(seq)) {
            return Optional.of(new DeliveryStatus(name, State.UNDER_WAY).after(entry.retry()));
        }
        RetryState retry = lane == null || lane.firstUndone() != seq ? null : lane.retry();
        if (lane != null && retry != null) {
            return Optional.of(new DeliveryStatus(name, State.BLOCKED)
                    .after(retry)
                    .nextAt(feed.scheduler().dueAt(lane)));
        }
        Checkpoints checkpoints = feed.checkpoints();
        if (entry != null || seq > checkpoints.front() || checkpoints.isUnsaved(new BlockedPush.Key(key, seq))) {
            return Optional.of(waits(name, lane));
        }
        return lane == null || !lane.mayReference(seq) ? Optional.of(handled(name, seq)) : Optional.empty();
    }

    private static DeliveryStatus waits(String name, @Nullable Lane lane) {
        return lane != null && lane.hasFailed()
                ? new DeliveryStatus(name, State.BEHIND).behind(lane.firstUndone())
                : new DeliveryStatus(name, State.WAITING);
    }

    /** Blocks. */
    private List<DeliveryStatus> statuses(Map<String, Supplier<DeliveryStatus>> known, PushRecord push) {
        Store store = delivery.store();
        Map<String, Discard> discards = store.deadLetters().discardsOf(push.seq()).stream()
                .collect(Collectors.toMap(Discard::consumer, Function.identity(), (newest, older) -> newest));
        Map<String, DeliveryStatus> statuses = new TreeMap<>();
        consumers.names().forEach(name -> statuses.put(name, notSubscribed(name, push)));
        known.forEach((name, status) -> statuses.put(name, status.get()));
        discards.keySet().forEach(name -> statuses.putIfAbsent(name, new DeliveryStatus(name, State.HANDLED)));
        store.deadLetters()
                .consumers()
                .forEach(name -> store.deadLetters()
                        .get(name, push.seq())
                        .ifPresent(letter -> statuses.put(name, dead(statuses.get(name), letter))));
        discards.forEach(
                (name, discard) -> statuses.computeIfPresent(name, (consumer, status) -> discarded(status, discard)));
        return List.copyOf(statuses.values());
    }

    private static DeliveryStatus notSubscribed(String consumer, PushRecord push) {
        DeliveryStatus status = new DeliveryStatus(consumer, State.NOT_SUBSCRIBED);
        Unreadable cause = push.envelope().unreadable();
        return cause == null
                ? status
                : status.because("it can't be read (" + cause.label() + "), and only who names " + Envelope.UNREADABLE
                        + " gets such a push");
    }

    private static DeliveryStatus dead(@Nullable DeliveryStatus before, DeadLetter letter) {
        return (before == null ? new DeliveryStatus(letter.consumer(), State.DEAD) : before.now(State.DEAD))
                .after(letter);
    }

    /** One that came again since and waits, or failed again, is no longer what it was. */
    private static DeliveryStatus discarded(DeliveryStatus status, Discard discard) {
        return switch (status.state()) {
            case HANDLED, NOT_SUBSCRIBED, BEFORE_START ->
                status.now(State.DISCARDED).because(discard.reason());
            default -> status;
        };
    }

    private DeliveryStatus handled(String consumer, long seq) {
        long start = delivery.store().consumerMarks().starts().getOrDefault(consumer, 0L);
        return new DeliveryStatus(consumer, seq <= start ? State.BEFORE_START : State.HANDLED);
    }

    /** Of a consumer that is not delivered to at the moment. Blocks. */
    private DeliveryStatus away(String consumer, long seq) {
        Store store = delivery.store();
        long position = store.positions().all().getOrDefault(consumer, 0L);
        boolean paused = store.consumerMarks().paused().containsKey(consumer);
        return kept(consumer, seq, position, "the consumer " + (paused ? "is paused" : "does not run"));
    }

    /**
     * By the references in the store, and how far the consumer has come. Blocks.
     *
     * @param why it has not come on; null: its state says it
     */
    private DeliveryStatus kept(String consumer, long seq, long position, @Nullable String why) {
        Optional<BlockedPush> reference = delivery.store().blockedPushes().at(consumer, seq);
        if (reference.isPresent()) {
            return blocked(consumer, reference.get()).because(why);
        }
        return seq > position ? new DeliveryStatus(consumer, State.WAITING).because(why) : handled(consumer, seq);
    }

    private DeliveryStatus blocked(String consumer, BlockedPush reference) {
        String lane = reference.key().lane();
        BlockedPush first = delivery.store().blockedPushes().ofLane(consumer, lane, 0, 1).stream()
                .findFirst()
                .orElse(reference);
        DeliveryStatus status = reference.retry() != null
                ? new DeliveryStatus(consumer, State.BLOCKED).after(reference.retry())
                : first.retry() != null
                        ? new DeliveryStatus(consumer, State.BEHIND)
                                .behind(first.key().seq())
                        : new DeliveryStatus(consumer, State.WAITING);
        return status.in(LaneKeys.shown(lane));
    }
}
