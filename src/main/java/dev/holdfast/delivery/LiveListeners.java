package dev.holdfast.delivery;

import dev.holdfast.config.HeapPlan;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.spi.metrics.EventBusMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of what is published live waits with those that listen on the bus: Vert.x keeps it for each of them without bound,
 * so that one that is slow, or whose thread is blocked, would take all memory. Vert.x tells of each message that it hands over
 * to a listener, and of what becomes of it there. Any thread, but for {@link #published}.
 */
public final class LiveListeners implements EventBusMetrics<LiveListeners.Listener> {
    /** Bytes that may wait with all listeners together: a part of what may wait on the way from the journal. */
    static final long MOST = HeapPlan.ofProcess().handover() / 4;

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

    /** Whether more may be published. */
    boolean haveRoom() {
        return waiting.get() < MOST;
    }

    /** Publishes a push that weighs so much, on this thread. */
    void published(long bytes, Runnable publishing) {
        weight.set(bytes);
        try {
            publishing.run();
        } finally {
            weight.set(0L);
        }
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
