package dev.holdfast;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.delivery.Delivery;
import dev.holdfast.management.DeliveryControl;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedLanes;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.DeliveryStatus;
import dev.holdfast.store.Replay;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The delivery, for the management API, which doesn't know it. */
record LiveDelivery(Delivery delivery) implements DeliveryControl {
    @Override
    public Map<String, Predicate<String>> wants() {
        return delivery.consumers().wants();
    }

    @Override
    public Set<String> running() {
        return delivery.consumers().there();
    }

    @Override
    public Future<List<ConsumerState>> states() {
        return delivery.views().states();
    }

    @Override
    public Future<BlockedLanes> lanes(String consumer) {
        return delivery.views().lanes(consumer);
    }

    @Override
    public Future<Boolean> pause(String consumer) {
        return delivery.consumers().pause(consumer);
    }

    @Override
    public Future<Boolean> resume(String consumer) {
        return delivery.consumers().resume(consumer);
    }

    @Override
    public Future<List<DeliveryStatus>> deliveries(PushRecord push) {
        return delivery.views().deliveries(push);
    }

    @Override
    public Future<Replay> replay(PushFilter filter, Collection<String> consumers, int rate) {
        return delivery.replays().start(filter, consumers, rate);
    }

    @Override
    public Future<Replay> retry(DeadLetterFilter filter, Collection<String> consumers) {
        return delivery.replays().retry(filter, consumers);
    }

    @Override
    public Future<List<ReplayState>> replays() {
        return delivery.replays().states();
    }

    @Override
    public Future<Boolean> stopReplay(String id) {
        return delivery.replays().stop(id);
    }
}
