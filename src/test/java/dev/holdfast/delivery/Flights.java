package dev.holdfast.delivery;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a consumer has under way at the same time. */
final class Flights {
    private final int most;
    private final long lateNanos;
    private final Map<String, Long> began = new HashMap<>();

    /** @param lateNanos what takes longer may have been given up */
    Flights(int most, long lateNanos) {
        this.most = most;
        this.lateNanos = lateNanos;
    }

    /**
     * What is wrong with it.
     *
     * @param called when the consumer was called with it: the gateway's time-out runs from there
     */
    synchronized Optional<String> begin(String lane, long called) {
        long now = System.nanoTime();
        began.values().removeIf(begun -> now - begun > lateNanos);
        boolean twice = began.put(lane, called) != null;
        if (twice) {
            return Optional.of("a lane twice at a time");
        }
        return began.size() <= most ? Optional.empty() : Optional.of(began.size() + " at a time, not " + most);
    }

    synchronized void end(String lane) {
        began.remove(lane);
    }
}
