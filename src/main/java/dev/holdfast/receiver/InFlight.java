package dev.holdfast.receiver;

import io.vertx.core.Context;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of pushes received and not yet durable, over all event loops. Past the limit, requests wait their turn with
 * their sockets paused; of those whose body has begun to come, one at a time is read to its end all the same, or bodies
 * that fill the limit together would wait for each other forever. Any thread.
 */
final class InFlight {
    /** What a push costs beside its body: the request, the response, the records around them. */
    static final int OVERHEAD = 1024;

    private record Waiting(Context context, Runnable turn) {}

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable Object> ahead = new AtomicReference<>();
    private final Queue<Waiting> begun = new ConcurrentLinkedQueue<>();
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

    InFlight(long limit) {
        this.limit = limit;
    }

    boolean full() {
        return bytes.get() >= limit;
    }

    /** Whether the body of {@code request} is read on: there is room, or it is the one that goes ahead without. */
    boolean readsOn(Object request) {
        return !full() || ahead.get() == request || ahead.compareAndSet(null, request);
    }

    void add(long count) {
        bytes.addAndGet(count);
    }

    /** Takes the bytes of a request out again when it is over, and gives the waiting their turn. */
    void release(Object request, long count) {
        bytes.addAndGet(-count);
        ahead.compareAndSet(request, null);
        wake();
    }

    /** Runs {@code turn} on {@code context} when there is room again. */
    void awaitRoom(Context context, Runnable turn) {
        waiting.add(new Waiting(context, turn));
        wake();
    }

    /** Runs {@code turn}, which asks {@link #readsOn} again, on {@code context} when there is room or no one is ahead. */
    void awaitTurn(Context context, Runnable turn) {
        begun.add(new Waiting(context, turn));
        wake();
    }

    long bytes() {
        return bytes.get();
    }

    /** One turn, and after it another one while there is room: whoever got it adds bytes of its own, or is gone. */
    private void wake() {
        Waiting next = full() && ahead.get() != null ? null : begun.poll();
        if (next == null && !full()) {
            next = waiting.poll();
        }
        if (next != null) {
            Runnable turn = next.turn();
            next.context().runOnContext(v -> {
                turn.run();
                wake();
            });
        }
    }
}
