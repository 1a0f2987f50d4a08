package dev.holdfast.delivery;

import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import java.util.Set;

/**
 * The live, best effort side of delivery: every push goes out on the bus under its event and under {@link #ANY}, in
 * {@code seq} order, to whoever listens at the moment.
 */
final class Publisher {
    /** The address that gets every push. */
    static final String ANY = "push.any";

    /** Families of bus addresses that are the gateway's and Vert.x's own; an event that claims one goes to {@link #ANY} only. */
    private static final Set<String> OWN = Set.of("push", "token", "holdfast", "__vertx");

    /** What a push costs beside its body. */
    private static final long OVERHEAD = 512;

    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);

    private final EventBus bus;
    private final BusinessData businessData;

    private final LiveListeners listeners;

    Publisher(EventBus bus, BusinessData businessData, LiveListeners listeners) {
        this.bus = bus;
        this.businessData = businessData;
        this.listeners = listeners;
    }

    /** Bytes that a push takes in memory. */
    static long weight(PushRecord push) {
        return OVERHEAD + push.body().length;
    }

    /** Returns false where nobody gets it, since too much waits with those that listen. */
    boolean publish(PushRecord record) {
        boolean goesOut = listeners.haveRoom();
        if (goesOut) {
            listeners.published(weight(record), () -> publishToAll(record));
        }
        return goesOut;
    }

    private void publishToAll(PushRecord record) {
        Push push = new Push(record, businessData);
        Envelope envelope = record.envelope();
        if (envelope.unreadable() != null || !OWN.contains(envelope.family())) {
            bus.publish(envelope.event(), push, LOCAL);
        }
        bus.publish(ANY, push, LOCAL);
    }
}
