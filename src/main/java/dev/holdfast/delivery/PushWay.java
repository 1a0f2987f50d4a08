package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.EventPattern;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.Unreadable;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.Discard;
import dev.holdfast.store.Store;
import dev.holdfast.store.WayStation;
import dev.holdfast.store.WayStation.State;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How it stands with one push at each consumer: by the lanes of those that are delivered to, by what is kept of the others. A
 * push that is up to the position, and neither blocked nor a dead letter, is handled.
 */
final class PushWay {
    private final DeliveryContext delivery;
    private final ConfiguredConsumers consumers;
    private final Subscriptions subscriptions;

    /**
     * What the lanes tell.
     *
     * @param referenced whether that holds only when the store has a reference to the push; without one it is handled
     */
    private record Found(WayStation station, boolean referenced) {}

    PushWay(DeliveryContext delivery, ConfiguredConsumers consumers, Subscriptions subscriptions) {
        this.delivery = delivery;
        this.consumers = consumers;
        this.subscriptions = subscriptions;
    }

    /** At the consumers that are configured, and at those that have, or had, it as a dead letter; by name. Any thread. */
    Future<List<WayStation>> of(PushRecord push) {
        List<ConsumerConfig> wanting = consumers.configs().stream()
                .filter(config ->
                        EventPattern.anyOf(config.events()).test(push.envelope().event()))
                .toList();
        // The lanes come before the store: what leaves them meanwhile is found there.
        return delivery.viewing(() -> lanes(wanting, push))
                .compose(lanes -> delivery.onContext(() -> Future.succeededFuture(found(lanes, push.seq()))))
                .compose(found -> delivery.viewing(() -> stations(found, push)));
    }

    private static Map<String, String> lanes(List<ConsumerConfig> wanting, PushRecord push) {
        return wanting.stream()
                .collect(Collectors.toMap(ConsumerConfig::name, config -> new LaneKeys(config.orderBy()).lane(push)));
    }

    /** Of the consumers that are delivered to. On the delivery's event loop. */
    private Map<String, Optional<Found>> found(Map<String, String> lanes, long seq) {
        Map<String, Optional<Found>> found = new TreeMap<>();
        lanes.forEach((name, lane) -> {
            Subscription subscription = subscriptions.get(name);
            found.put(
                    name,
                    subscription == null ? Optional.empty() : Optional.of(found(name, subscription.live(), lane, seq)));
        });
        return found;
    }

    private static Found found(String name, Feed feed, String key, long seq) {
        Lane lane = feed.lanes().get(key);
        LaneEntry entry = lane == null ? null : lane.find(seq);
        if (lane != null && entry != null) {
            return new Found(inMemory(name, feed, lane, entry).in(LaneKeys.shown(key)), false);
        }
        BlockedPush.Key place = new BlockedPush.Key(key, seq);
        boolean noted =
                lane != null && lane.mayReference(seq) && !feed.checkpoints().isReleased(place);
        if (seq > feed.checkpoints().front() || noted) {
            WayStation waits = lane == null ? new WayStation(name, State.WAITING) : waits(name, lane);
            boolean sure =
                    seq > feed.checkpoints().front() || feed.checkpoints().isUnsaved(place);
            return new Found(waits.in(LaneKeys.shown(key)), !sure);
        }
        return new Found(new WayStation(name, State.HANDLED).in(LaneKeys.shown(key)), false);
    }

    private static WayStation inMemory(String name, Feed feed, Lane lane, LaneEntry entry) {
        if (lane.isInFlight(entry)) {
            return new WayStation(name, State.UNDER_WAY).after(entry.retry);
        }
        if (entry.retry != null) {
            return new WayStation(name, State.BLOCKED)
                    .after(entry.retry)
                    .nextAt(feed.scheduler().dueAt(lane));
        }
        return waits(name, lane);
    }

    private static WayStation waits(String name, Lane lane) {
        return lane.hasFailed()
                ? new WayStation(name, State.BEHIND).behind(lane.firstUndone())
                : new WayStation(name, State.WAITING);
    }

    /** Blocks. */
    private List<WayStation> stations(Map<String, Optional<Found>> found, PushRecord push) {
        Store store = delivery.store();
        Map<String, Discard> discards = store.deadLetters().discardsOf(push.seq()).stream()
                .collect(Collectors.toMap(Discard::consumer, Function.identity(), (newest, older) -> newest));
        Map<String, WayStation> stations = new TreeMap<>();
        consumers.names().forEach(name -> stations.put(name, notSubscribed(name, push)));
        found.forEach((name, known) ->
                stations.put(name, known.map(one -> settled(one, push.seq())).orElseGet(() -> kept(name, push.seq()))));
        discards.keySet().forEach(name -> stations.putIfAbsent(name, new WayStation(name, State.HANDLED)));
        store.deadLetters()
                .consumers()
                .forEach(name -> store.deadLetters()
                        .get(name, push.seq())
                        .ifPresent(letter -> stations.put(name, dead(stations.get(name), letter))));
        discards.forEach(
                (name, discard) -> stations.computeIfPresent(name, (consumer, station) -> discarded(station, discard)));
        return List.copyOf(stations.values());
    }

    private static WayStation notSubscribed(String consumer, PushRecord push) {
        WayStation station = new WayStation(consumer, State.NOT_SUBSCRIBED);
        Unreadable cause = push.envelope().unreadable();
        return cause == null
                ? station
                : station.because("it can't be read (" + cause.label() + "), and only who names " + Envelope.UNREADABLE
                        + " gets such a push");
    }

    private static WayStation dead(@Nullable WayStation before, DeadLetter letter) {
        WayStation dead = new WayStation(letter.consumer(), State.DEAD).after(letter);
        return before == null || before.lane() == null ? dead : dead.in(before.lane());
    }

    /** One that came again since and waits, or failed again, is no longer what it was. */
    private static WayStation discarded(WayStation station, Discard discard) {
        if (station.state() != State.HANDLED && station.state() != State.NOT_SUBSCRIBED) {
            return station;
        }
        WayStation discarded = new WayStation(station.consumer(), State.DISCARDED).because(discard.reason());
        return station.lane() == null ? discarded : discarded.in(station.lane());
    }

    private WayStation settled(Found found, long seq) {
        WayStation station = found.station();
        boolean handled = station.state() == State.HANDLED
                || (found.referenced()
                        && delivery.store()
                                .blockedPushes()
                                .at(station.consumer(), seq)
                                .isEmpty());
        if (!handled) {
            return station;
        }
        WayStation done = new WayStation(station.consumer(), handled(station.consumer(), seq));
        return station.lane() == null ? done : done.in(station.lane());
    }

    private State handled(String consumer, long seq) {
        long start = delivery.store().consumerMarks().starts().getOrDefault(consumer, 0L);
        return seq <= start ? State.BEFORE_START : State.HANDLED;
    }

    /** Of a consumer that is not delivered to at the moment. Blocks. */
    private WayStation kept(String consumer, long seq) {
        Store store = delivery.store();
        Long position = store.positions().all().get(consumer);
        Optional<BlockedPush> reference = store.blockedPushes().at(consumer, seq);
        if (reference.isPresent()) {
            return blocked(consumer, reference.get()).because(away(consumer));
        }
        return position == null || seq > position
                ? new WayStation(consumer, State.WAITING).because(away(consumer))
                : new WayStation(consumer, handled(consumer, seq));
    }

    private String away(String consumer) {
        boolean paused = delivery.store().consumerMarks().paused().containsKey(consumer);
        return "the consumer " + (paused ? "is paused" : "does not run");
    }

    private WayStation blocked(String consumer, BlockedPush reference) {
        String lane = reference.key().lane();
        long first = delivery.store().blockedPushes().ofLane(consumer, lane, 0, 1).stream()
                .map(one -> one.key().seq())
                .findFirst()
                .orElse(reference.key().seq());
        WayStation station = reference.retry() != null
                ? new WayStation(consumer, State.BLOCKED).after(reference.retry())
                : first < reference.key().seq()
                        ? new WayStation(consumer, State.BEHIND).behind(first)
                        : new WayStation(consumer, State.WAITING);
        return station.in(LaneKeys.shown(lane));
    }
}
