package dev.holdfast.receiver;

import io.vertx.core.Context;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of pushes received and not yet durable, over all event loops. Past the limit, requests wait their turn with
 * their sockets paused. Any thread.
 */
final class InFlight {
    /** What a push costs beside its body: the request, the response, the records around them. */
    static final int OVERHEAD = 1024;

    private record Waiting(Context context, Runnable turn) {}

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

    InFlight(long limit) {
        this.limit = limit;
    }

    boolean full() {
        return bytes.get() >= limit;
    }

    void add(long count) {
        bytes.addAndGet(count);
    }

    /** Takes the bytes out again and gives the waiting their turn. */
    void release(long count) {
        if (bytes.addAndGet(-count) < limit && !waiting.isEmpty()) {
            next();
        }
    }

    /** Runs {@code turn} on {@code context} when there is room again. */
    void await(Context context, Runnable turn) {
        waiting.add(new Waiting(context, turn));
        if (!full()) {
            next();
        }
    }

    long bytes() {
        return bytes.get();
    }

    /** One turn a release: whoever got it adds bytes of its own, and releases them later. */
    private void next() {
        Waiting first = waiting.poll();
        if (first != null) {
            first.context().runOnContext(v -> {
                first.turn().run();
                if (!full()) {
                    next();
                }
            });
        }
    }
}
