package dev.holdfast.delivery;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.consumer.ConsumerState.Phase;
import dev.holdfast.journal.JournalException;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedLanes;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.DeliveryStatus;
import dev.holdfast.store.LaneState;
import dev.holdfast.store.Store;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What there is to be seen of the consumers and of pushes on their way to them. Nothing of it is made before somebody asks. Any thread. */
public final class ConsumerViews {
    /** Blocked lanes that are shown of a consumer. */
    private static final int MOST_LANES = 100;
    /** Lanes that are looked at to find these. */
    private static final int LOOKED_AT = 10_000;
    /** A lane's references are counted up to here. */
    private static final int COUNTED = 10_000;

    private static final Comparator<BlockedPush> LONGEST_FIRST = Comparator.<BlockedPush>comparingLong(one ->
                    one.retry() == null ? Long.MAX_VALUE : one.retry().first().at())
            .thenComparingLong(one -> one.key().seq());

    private final DeliveryContext delivery;
    private final ConfiguredConsumers consumers;

    ConsumerViews(DeliveryContext delivery, ConfiguredConsumers consumers) {
        this.delivery = delivery;
        this.consumers = consumers;
    }

    /** How it stands with one push at each consumer, by name. */
    public Future<List<DeliveryStatus>> deliveries(PushRecord push) {
        return new DeliveryStatuses(delivery, consumers).of(push);
    }

    /** The consumers that are configured, or that something is kept of, by name. */
    public Future<List<ConsumerState>> states() {
        return delivery.onContext(() -> Future.succeededFuture(now()))
                .compose(now -> delivery.viewing(() -> filledIn(now)));
    }

    /** On the delivery's event loop. */
    private Map<String, ConsumerState> now() {
        Map<String, ConsumerState> now = new TreeMap<>();
        consumers.all().forEach(one -> now.put(one.name(), one.state()));
        return now;
    }

    /** Blocks. */
    private List<ConsumerState> filledIn(Map<String, ConsumerState> now) {
        Store store = delivery.store();
        Map<String, Long> positions = store.positions().all();
        Stream.concat(store.deadLetters().consumers().stream(), positions.keySet().stream())
                .filter(name -> !RunningReplay.hasName(name))
                .forEach(name -> now.putIfAbsent(name, new ConsumerState(name, Phase.STOPPED, List.of(), "")));
        return now.values().stream()
                .map(state -> filledIn(state, positions.getOrDefault(state.name(), -1L)))
                .toList();
    }

    private ConsumerState filledIn(ConsumerState state, long position) {
        ConfiguredConsumer one = consumers.get(state.name());
        double lag = one == null ? 0 : one.meters().lag();
        double age = one == null ? 0 : one.meters().ageSeconds();
        long letters = delivery.store().deadLetters().count(state.name());
        return state.with(position, Double.isNaN(lag) ? 0 : (long) lag, Double.isNaN(age) ? 0 : age, letters);
    }

    /** The blocked lanes of a consumer as its last checkpoint has them, at most {@value #MOST_LANES}. */
    public Future<BlockedLanes> lanes(String consumer) {
        return delivery.onContext(() -> Future.succeededFuture(dueAt(consumer)))
                .compose(dueAt -> delivery.viewing(() -> blocked(consumer, dueAt)));
    }

    /** When each lane is tried again that is delivered to. On the delivery's event loop. */
    private Map<String, Long> dueAt(String consumer) {
        Map<String, Long> dueAt = new HashMap<>();
        Subscription subscription = consumers.subscription(consumer);
        if (subscription != null) {
            LiveFeed feed = subscription.live();
            feed.lanes()
                    .blockedLanes()
                    .forEach(lane -> dueAt.put(lane.key(), feed.scheduler().dueAt(lane)));
        }
        return dueAt;
    }

    /** Blocks. */
    private BlockedLanes blocked(String consumer, Map<String, Long> dueAt) {
        List<BlockedPush> first = delivery.store().blockedPushes().firstOfEachLane(consumer, LOOKED_AT);
        List<LaneState> lanes = first.stream()
                .sorted(LONGEST_FIRST)
                .limit(MOST_LANES)
                .map(one -> lane(consumer, one, dueAt.getOrDefault(one.key().lane(), 0L)))
                // It was done meanwhile.
                .filter(lane -> lane.waiting() > 0)
                .toList();
        return new BlockedLanes(lanes, first.size() > MOST_LANES);
    }

    private LaneState lane(String consumer, BlockedPush first, long dueAt) {
        String lane = first.key().lane();
        long seq = first.key().seq();
        return new LaneState(
                LaneKeys.shown(lane),
                seq,
                event(seq),
                delivery.store()
                        .blockedPushes()
                        .ofLane(consumer, lane, seq, COUNTED)
                        .size(),
                DeliveryStatus.FailedAttempts.of(first.retry()),
                dueAt);
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
