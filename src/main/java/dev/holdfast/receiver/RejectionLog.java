package dev.holdfast.receiver;

import dev.holdfast.push.Unreadable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator what is odd about an endpoint's pushes, and that the disk keeps them waiting: at once when it begins, then at
 * most a line a minute with how many there were, whoever sends however many. Any thread.
 */
final class RejectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(RejectionLog.class);
    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final class Tally {
        private long count;
        private long nextLine;

        Tally(long now) {
            nextLine = now;
        }
    }

    private final LongSupplier nanoTime;
    /** By endpoint and cause: both are few. */
    private final Map<String, Tally> tallies = new HashMap<>();

    /** @param nanoTime a clock that is put back would have it say nothing for as long */
    RejectionLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * One that found no room, or lost it.
     *
     * @param which what the room is for, e.g. {@code large bodies}
     * @param address where it came from
     */
    void crowded(String which, String address) {
        long count = due(which + " crowded");
        if (count > 0) {
            LOG.warn("the room for {} is full: {} refused, the last one from {}", which, count, address);
        }
    }

    /** A push that the disk has not stored in time: it reports no failure of its own. */
    void notStoredInTime() {
        long count = due("not stored in time");
        if (count > 0) {
            LOG.error("the disk doesn't answer: {} not stored within journal.sync-timeout", count);
        }
    }

    /** A push that was kept and can't be read. */
    void unreadable(String endpoint, long seq, Unreadable cause) {
        long count = due(endpoint + " " + cause);
        if (count > 0) {
            LOG.atWarn()
                    .addKeyValue("endpoint", endpoint)
                    .addKeyValue("seq", seq)
                    .log(
                            "endpoint {}: {} kept that can't be read ({}), the last one is push {}",
                            endpoint,
                            count,
                            cause.label(),
                            seq);
        }
    }

    /** How many there were since the last line; 0 when it is too soon for another one. */
    private synchronized long due(String what) {
        long now = nanoTime.getAsLong();
        Tally tally = tallies.computeIfAbsent(what, key -> new Tally(now));
        tally.count++;
        if (now - tally.nextLine < 0) {
            return 0;
        }
        long count = tally.count;
        tally.count = 0;
        tally.nextLine = now + PERIOD_NANOS;
        return count;
    }
}
