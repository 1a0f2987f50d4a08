package dev.holdfast.journal;

import java.util.List;

/**
 * Delivering journaled pushes again.
 *
 * @param id tells it from others
 * @param consumers to whom, as far as they subscribed to the event
 * @param rate pushes a second at most
 * @param next everything below this position is done
 * @param delivered how many were handled, once for each consumer
 * @param failed how many are dead letters now
 */
public record Replay(
        String id, List<String> consumers, PushFilter filter, int rate, long next, long delivered, long failed) {
    public Replay {
        consumers = List.copyOf(consumers);
    }

    /** The same, further on. */
    public Replay at(long further, long handled, long dead) {
        return new Replay(id, consumers, filter, rate, further, handled, dead);
    }
}
