package dev.holdfast.receiver;

import io.vertx.core.Context;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
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

    /** A place in the queue. Sorted by when it was taken, so that it can be given up without a search. */
    record Place(long number, Context context, Runnable turn) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return Long.compare(number, other.number);
        }
    }

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable Object> ahead = new AtomicReference<>();
    private final AtomicLong places = new AtomicLong();
    private final NavigableSet<Place> begun = new ConcurrentSkipListSet<>();
    private final NavigableSet<Place> waiting = new ConcurrentSkipListSet<>();

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

    /** Runs {@code turn} on {@code context} when there is room again, unless the place is {@link #leave left} before. */
    Place awaitRoom(Context context, Runnable turn) {
        return await(waiting, context, turn);
    }

    /** Runs {@code turn}, which asks {@link #readsOn} again, on {@code context} when there is room or no one is ahead. */
    Place awaitTurn(Context context, Runnable turn) {
        return await(begun, context, turn);
    }

    private Place await(NavigableSet<Place> queue, Context context, Runnable turn) {
        Place place = new Place(places.incrementAndGet(), context, turn);
        queue.add(place);
        wake();
        return place;
    }

    /** Gives up a place; one whose turn has come is gone already. */
    void leave(Place place) {
        if (!begun.remove(place)) {
            waiting.remove(place);
        }
    }

    /** How many wait at the moment. Counts them one by one. */
    int waiting() {
        return begun.size() + waiting.size();
    }

    long bytes() {
        return bytes.get();
    }

    /** One turn, and after it another one while there is room: whoever got it adds bytes of its own, or is gone. */
    private void wake() {
        Place next = full() && ahead.get() != null ? null : begun.pollFirst();
        if (next == null && !full()) {
            next = waiting.pollFirst();
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
