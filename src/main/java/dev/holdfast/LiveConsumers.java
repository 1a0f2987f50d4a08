package dev.holdfast;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.delivery.Delivery;
import dev.holdfast.management.ConsumerControl;
import io.vertx.core.Future;
import java.util.List;

/** The consumers of the delivery, for the management API, which doesn't know it. */
record LiveConsumers(Delivery delivery) implements ConsumerControl {
    @Override
    public Future<List<ConsumerState>> states() {
        return delivery.views().states();
    }

    @Override
    public Future<Lanes> lanes(String consumer) {
        return delivery.views().lanes(consumer).map(found -> new Lanes(found.lanes(), found.more()));
    }

    @Override
    public Future<Boolean> pause(String consumer) {
        return delivery.subscriptions().pause(consumer);
    }

    @Override
    public Future<Boolean> resume(String consumer) {
        return delivery.subscriptions().resume(consumer);
    }
}
