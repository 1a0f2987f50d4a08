package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.consumer.ConsumerState.Phase;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedLanes;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.LaneState;
import dev.holdfast.store.Store;
import dev.holdfast.store.WayStation;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What there is to be seen of the consumers and of pushes on their way to them. Nothing of it is made before somebody asks. Any thread. */
public final class ConsumerViews {
    /** Blocked lanes that are shown of a consumer. */
    static final int MOST_LANES = 100;
    /** Lanes that are looked at of one that is not delivered to. */
    private static final int LOOKED_AT = 10_000;
    /** A lane's references are counted up to here. */
    private static final int COUNTED = 10_000;

    private final DeliveryContext delivery;
    private final ConfiguredConsumers consumers;
    private final Subscriptions subscriptions;

    /** A blocked lane, and what memory knows of it beside its references in the store. */
    private record Blocked(BlockedPush first, long dueAt, Set<Long> inMemory) {
        long failedAt() {
            return ConsumerViews.failedAt(first.retry());
        }
    }

    private static final Comparator<Blocked> LONGEST_FIRST = Comparator.comparingLong(Blocked::failedAt)
            .thenComparingLong(one -> one.first().key().seq());

    ConsumerViews(DeliveryContext delivery, ConfiguredConsumers consumers, Subscriptions subscriptions) {
        this.delivery = delivery;
        this.consumers = consumers;
        this.subscriptions = subscriptions;
    }

    /** How it stands with one push at each consumer, by name. */
    public Future<List<WayStation>> way(PushRecord push) {
        return new PushWay(delivery, consumers, subscriptions).of(push);
    }

    /** The consumers that are configured, or that something is kept of, by name. */
    public Future<List<ConsumerState>> states() {
        return delivery.onContext(() -> Future.succeededFuture(now()))
                .compose(now -> delivery.viewing(() -> filledIn(now)));
    }

    /** On the delivery's event loop. */
    private Map<String, ConsumerState> now() {
        Map<String, ConsumerState> now = new TreeMap<>();
        Set<String> paused = delivery.store().consumerMarks().paused().keySet();
        Set<String> present = subscriptions.names();
        for (ConsumerConfig config : consumers.configs()) {
            String name = config.name();
            Subscription subscription = subscriptions.get(name);
            Phase phase =
                    paused.contains(name) ? Phase.PAUSED : present.contains(name) ? Phase.RUNNING : Phase.STARTING;
            now.put(
                    name,
                    subscription != null
                            ? subscription.state()
                            : new ConsumerState(name, phase, config.events(), config.verticle()));
        }
        return now;
    }

    /** Blocks. */
    private List<ConsumerState> filledIn(Map<String, ConsumerState> now) {
        Store store = delivery.store();
        Map<String, Long> positions = store.positions().all();
        Set<String> names = new HashSet<>(store.deadLetters().consumers());
        positions.keySet().stream()
                .filter(name -> RunningReplay.idOf(name).isEmpty())
                .forEach(names::add);
        names.forEach(name -> now.putIfAbsent(name, new ConsumerState(name, Phase.STOPPED, List.of(), "")));
        return now.values().stream()
                .map(state -> filledIn(state, positions.get(state.name())))
                .toList();
    }

    private ConsumerState filledIn(ConsumerState state, @Nullable Long position) {
        Store store = delivery.store();
        Journal journal = delivery.journal();
        String name = state.name();
        long kept = position == null ? -1 : position;
        long letters = store.deadLetters().count(name);
        long from = store.blockedPushes().neededFrom(name);
        if (state.events().isEmpty() || from == 0) {
            return state.with(kept, 0, 0, letters);
        }
        long first = Math.max(from, journal.firstSeq());
        long lag = Math.max(0, journal.lastSeq() + 1 - first);
        double age = consumers.ageSeconds(name);
        return state.with(kept, lag, lag == 0 || Double.isNaN(age) ? 0 : age, letters);
    }

    /** The blocked lanes of a consumer, at most {@value #MOST_LANES}. */
    public Future<BlockedLanes> lanes(String consumer) {
        return delivery.onContext(() -> Future.succeededFuture(inMemory(consumer)))
                .compose(found -> delivery.viewing(() -> shown(consumer, found.orElseGet(() -> kept(consumer)))));
    }

    /** On the delivery's event loop; empty: it is not delivered to. */
    private Optional<List<Blocked>> inMemory(String consumer) {
        Subscription subscription = subscriptions.get(consumer);
        return subscription == null ? Optional.empty() : Optional.of(inMemory(subscription.live()));
    }

    /** One more than is shown, where there are more. */
    private static List<Blocked> inMemory(Feed feed) {
        PriorityQueue<Lane> longest = new PriorityQueue<>(
                Comparator.<Lane>comparingLong(lane -> failedAt(lane.retry())).reversed());
        for (Lane lane : feed.lanes().blockedLanes()) {
            if (lane.isDone()) {
                continue;
            }
            longest.add(lane);
            if (longest.size() > MOST_LANES + 1) {
                longest.remove();
            }
        }
        return longest.stream().map(lane -> blocked(feed, lane)).toList();
    }

    private static long failedAt(BlockedPush.@Nullable RetryState retry) {
        return retry == null ? Long.MAX_VALUE : retry.firstAt();
    }

    private static Blocked blocked(Feed feed, Lane lane) {
        Set<Long> inMemory = new HashSet<>();
        lane.entries().forEach(entry -> inMemory.add(entry.seq()));
        feed.checkpoints()
                .unsaved(lane.key(), lane.firstUndone())
                .forEach(one -> inMemory.add(one.key().seq()));
        BlockedPush.Key first = new BlockedPush.Key(lane.key(), lane.firstUndone());
        return new Blocked(
                new BlockedPush(first, lane.retry()), feed.scheduler().dueAt(lane), inMemory);
    }

    /** Of a consumer that is not delivered to. Blocks. */
    private List<Blocked> kept(String consumer) {
        return delivery.store().blockedPushes().firstOfEachLane(consumer, LOOKED_AT).stream()
                .map(first -> new Blocked(first, 0, Set.of()))
                .toList();
    }

    /** Blocks. */
    private BlockedLanes shown(String consumer, List<Blocked> blocked) {
        List<LaneState> lanes = blocked.stream()
                .sorted(LONGEST_FIRST)
                .limit(MOST_LANES)
                .map(one -> shown(consumer, one))
                .toList();
        return new BlockedLanes(lanes, blocked.size() > MOST_LANES);
    }

    private LaneState shown(String consumer, Blocked one) {
        BlockedPush.Key first = one.first().key();
        BlockedPush.RetryState retry = one.first().retry();
        long others = delivery.store().blockedPushes().seqsOfLane(consumer, first.lane(), first.seq(), COUNTED).stream()
                .filter(seq -> !one.inMemory().contains(seq))
                .count();
        return new LaneState(
                LaneKeys.shown(first.lane()),
                first.seq(),
                event(first.seq()),
                others + one.inMemory().size(),
                retry == null ? null : WayStation.FailedAttempts.of(retry),
                one.dueAt());
    }

    /** null: it is no longer kept, or the disk can't be read at the moment. */
    private @Nullable String event(long seq) {
        try {
            return delivery.journal()
                    .get(seq)
                    .map(push -> push.envelope().event())
                    .orElse(null);
        } catch (JournalException e) {
            return null;
        }
    }
}
