package dev.holdfast.delivery;

import dev.holdfast.config.HeapPlan;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.spi.metrics.EventBusMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The live, best effort side of delivery: every push goes out on the bus under its event and under {@link #ANY}, in {@code seq}
 * order, to whoever listens at the moment. What waits with them Vert.x keeps for each without bound, so that one that is slow, or
 * whose thread is blocked, would take all memory; so it tells this class of each message that it hands over to a listener, and of
 * what becomes of it there. Any thread.
 */
public final class LiveListeners implements EventBusMetrics<LiveListeners.Listener> {
    /** Bytes that may wait with all listeners together: a part of what may wait on the way from the journal. */
    static final long MOST = HeapPlan.ofProcess().handover() / 4;

    /** The address that gets every push. */
    private static final String ANY = "push.any";

    /** Families of bus addresses that are the gateway's and Vert.x's own; an event that claims one goes to {@link #ANY} only. */
    private static final Set<String> OWN = Set.of("push", "token", "holdfast", "__vertx");

    /** What a push costs beside its body. */
    private static final long OVERHEAD = 512;

    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);

    private final AtomicLong waiting = new AtomicLong();
    /** What each message on the bus weighs that this thread sends now; none but pushes that are published have a weight. */
    private final ThreadLocal<Long> weight = ThreadLocal.withInitial(() -> 0L);

    /** What waits with one of them; a message's part of it is the mean. */
    public static final class Listener {
        private long messages;
        private long bytes;

        private synchronized void gets(long weight) {
            messages++;
            bytes += weight;
        }

        private synchronized long had() {
            long part = messages == 0 ? bytes : bytes / messages--;
            bytes -= part;
            return part;
        }

        private synchronized long hadAll() {
            messages = 0;
            long all = bytes;
            bytes = 0;
            return all;
        }
    }

    /** Makes a Vert.x whose bus tells this one. */
    public Vertx vertx(VertxOptions options) {
        VertxMetrics metrics = new VertxMetrics() {
            @Override
            public EventBusMetrics<Listener> createEventBusMetrics() {
                return LiveListeners.this;
            }
        };
        return Vertx.builder().with(options).withMetrics(with -> metrics).build();
    }

    /** Bytes that a push takes in memory. */
    static long weight(PushRecord push) {
        return OVERHEAD + push.body().length;
    }

    /** Returns false where nobody gets it, since too much waits with those that listen. */
    boolean publish(EventBus bus, PushRecord record, BusinessData businessData) {
        if (waiting.get() >= MOST) {
            return false;
        }
        weight.set(weight(record));
        try {
            Push push = new Push(record, businessData);
            Envelope envelope = record.envelope();
            if (envelope.unreadable() != null || !OWN.contains(envelope.family())) {
                bus.publish(envelope.event(), push, LOCAL);
            }
            bus.publish(ANY, push, LOCAL);
        } finally {
            weight.set(0L);
        }
        return true;
    }

    @Override
    public Listener handlerRegistered(String address) {
        return new Listener();
    }

    @Override
    public void scheduleMessage(Listener listener, boolean local) {
        long bytes = weight.get();
        listener.gets(bytes);
        waiting.addAndGet(bytes);
    }

    @Override
    public void messageDelivered(Listener listener, boolean local) {
        waiting.addAndGet(-listener.had());
    }

    @Override
    public void discardMessage(Listener listener, boolean local, Message<?> message) {
        waiting.addAndGet(-listener.had());
    }

    @Override
    public void handlerUnregistered(Listener listener) {
        waiting.addAndGet(-listener.hadAll());
    }
}
