package dev.holdfast.management;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedLanes;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.DeliveryStatus;
import dev.holdfast.store.Replay;
import dev.holdfast.store.ReplayState;
import dev.holdfast.store.TooManyReplaysException;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What the API asks of the delivery. */
public interface DeliveryControl {
    /** Which events each configured consumer wants, by name, whether it runs or not. */
    Map<String, Predicate<String>> wants();

    /** The consumers that are delivered to. */
    Set<String> running();

    /** The state of each consumer that is configured or of which something is kept, by name. */
    Future<List<ConsumerState>> states();

    /** A consumer's blocked lanes. */
    Future<BlockedLanes> lanes(String consumer);

    /** Gives a consumer no more pushes until it is resumed; false if no such consumer is configured. */
    Future<Boolean> pause(String consumer);

    /** Resumes a consumer; false if no such consumer is configured. */
    Future<Boolean> resume(String consumer);

    /** A push's state at each consumer. */
    Future<List<DeliveryStatus>> deliveries(PushRecord push);

    /** Begins a replay to these consumers; fails with a {@link TooManyReplaysException} when too many are on their way. */
    Future<Replay> replay(PushFilter filter, Collection<String> consumers, int rate);

    /** Brings the dead letters of these consumers that match back to their lanes. */
    Future<Replay> retry(DeadLetterFilter filter, Collection<String> consumers);

    /** Replays and retries on their way, and the last ones that ended. */
    Future<List<ReplayState>> replays();

    /** Ends a replay; false if there is none of that id. */
    Future<Boolean> stopReplay(String id);
}
