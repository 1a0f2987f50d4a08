package dev.holdfast.receiver;

import io.vertx.core.Context;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of pushes that are verified and not yet durable, over all event loops. Past the limit no further signed body is begun:
 * requests wait their turn with their sockets paused. Any thread.
 */
final class InFlight {
    /** What a push costs beside its body: the request, the response, the records around them. */
    static final int OVERHEAD = 1024;

    /** A place in the queue. */
    record Place(long number, Context context, Runnable turn) {}

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong places = new AtomicLong();
    /** Sorted by when they were taken, so that one can be given up without a search. */
    private final NavigableSet<Place> waiting = new ConcurrentSkipListSet<>(Comparator.comparingLong(Place::number));

    InFlight(long limit) {
        this.limit = limit;
    }

    boolean full() {
        return bytes.get() >= limit;
    }

    void add(long count) {
        bytes.addAndGet(count);
    }

    /** Takes the bytes of a push out again when it is answered, and gives the waiting their turn. */
    void release(long count) {
        bytes.addAndGet(-count);
        wake();
    }

    /** Runs {@code turn} on {@code context} when there is room again, unless the place is {@link #leave left} before. */
    Place await(Context context, Runnable turn) {
        Place place = new Place(places.incrementAndGet(), context, turn);
        waiting.add(place);
        wake();
        return place;
    }

    /** Gives up a place; one whose turn has come is gone already. */
    void leave(Place place) {
        waiting.remove(place);
    }

    /** How many wait at the moment. Counts them one by one. */
    int waiting() {
        return waiting.size();
    }

    long bytes() {
        return bytes.get();
    }

    /** One turn, and after it another one while there is room: whoever got it adds bytes of its own, or is gone. */
    private void wake() {
        Place next = full() ? null : waiting.pollFirst();
        if (next != null) {
            Runnable turn = next.turn();
            next.context().runOnContext(v -> {
                try {
                    turn.run();
                } finally {
                    wake();
                }
            });
        }
    }
}
