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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

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

    /** How many listen at each address: to the others nothing is published. */
    private final Map<String, Integer> heard = new ConcurrentHashMap<>();

    /** The messages that wait with one of them, and their bytes, of which each counts the mean. */
    public static final class Listener {
        private final String address;
        private long messages;
        private long bytes;

        private Listener(String address) {
            this.address = address;
        }

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
        Vertx vertx = Vertx.builder().with(options).withMetrics(with -> metrics).build();
        // The first one is 0, as a consumer's field for one is that was never set: cancelled, it must be nobody's.
        vertx.setTimer(1, spent -> {});
        return vertx;
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
        Envelope envelope = record.envelope();
        if (envelope.unreadable() != null || !OWN.contains(envelope.family())) {
            publish(bus, envelope.event(), record, businessData);
        }
        publish(bus, ANY, record, businessData);
        return true;
    }

    private void publish(EventBus bus, String address, PushRecord record, BusinessData businessData) {
        if (!heard.containsKey(address)) {
            return;
        }
        weight.set(weight(record));
        try {
            bus.publish(address, new Push(record, businessData), LOCAL);
        } finally {
            weight.set(0L);
        }
    }

    @Override
    public Listener handlerRegistered(String address) {
        heard.merge(address, 1, Integer::sum);
        return new Listener(address);
    }

    /** One that is only just registered Vert.x doesn't know yet. */
    @Override
    public void scheduleMessage(@Nullable Listener listener, boolean local) {
        if (listener == null) {
            return;
        }
        long bytes = weight.get();
        listener.gets(bytes);
        waiting.addAndGet(bytes);
    }

    @Override
    public void messageDelivered(@Nullable Listener listener, boolean local) {
        had(listener);
    }

    @Override
    public void discardMessage(@Nullable Listener listener, boolean local, Message<?> message) {
        had(listener);
    }

    private void had(@Nullable Listener listener) {
        if (listener != null) {
            waiting.addAndGet(-listener.had());
        }
    }

    @Override
    public void handlerUnregistered(Listener listener) {
        heard.computeIfPresent(listener.address, (address, count) -> count == 1 ? null : count - 1);
        waiting.addAndGet(-listener.hadAll());
    }
}
