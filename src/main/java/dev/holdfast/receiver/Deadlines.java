package dev.holdfast.receiver;

import dev.holdfast.config.ReceiverConfig;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Ends what takes too long on one event loop: connections without a request, bodies that don't come, and a disk. All of them are
 * looked at in each {@link #sweep} instead of having a timer each, so a deadline is kept to the grain of the sweeps. Time in
 * which the loop stood still is nobody's slowness: what the clients sent meanwhile is still unread, so hardly any of it counts.
 */
final class Deadlines {
    /** What a body has to bring in every {@link #GRACE_NANOS}, unless it ends before: 4 KiB a second. */
    static final int PROGRESS_BYTES = 40 * 1024;

    static final long GRACE_NANOS = 10_000_000_000L;

    /**
     * How long the rest of a refused request is still read, so that the client sees the answer instead of a reset; while
     * others wait for a connection, no longer than to the next sweep. And how long a connection is closing that is to end.
     */
    static final long LINGER_NANOS = 2_000_000_000L;

    /** While others wait for a connection, one that has had its answer, or waits for room, is kept for no longer. */
    static final long CROWDED_NANOS = 2_000_000_000L;

    /** Sweeps come more often; of a longer time between two no more counts. */
    private static final long LONGEST_STEP_NANOS = 200_000_000L;

    /** Something that ends when its time is over, or when its client has said all it will before the end of a body. */
    interface Timed {
        Peer peer();

        /** Its time is over. What has no answer yet is refused, for the reason {@code late}. */
        void timeOut(Refusal late);
    }

    private static final class Timing {
        private final long end;
        private final Refusal late;
        private final boolean lingers;
        private long due;

        Timing(long end, long due, Refusal late, boolean lingers) {
            this.end = end;
            this.due = Math.min(due, end);
            this.late = late;
            this.lingers = lingers;
        }
    }

    private final long headerNanos;
    private final long bodyNanos;
    private final long idleNanos;
    private final LongSupplier nanoTime;
    private final Map<HttpConnection, Peer> peers = new HashMap<>();
    private final Map<Timed, Timing> timed = new HashMap<>();
    /** When the last sweep was. */
    private long now;
    /** What counts of the time until then. */
    private volatile long counted;

    Deadlines(ReceiverConfig config, LongSupplier nanoTime) {
        this.headerNanos = config.headerTimeout().toNanos();
        this.bodyNanos = config.bodyTimeout().toNanos();
        this.idleNanos = config.idleTimeout().toNanos();
        this.nanoTime = nanoTime;
        this.now = nanoTime.getAsLong();
    }

    /** What counts, in nanoseconds, of the time until the last sweep. Any thread. */
    long counted() {
        return counted;
    }

    /** A connection that has yet to send its first request's head. */
    Peer opened(HttpConnection connection) {
        Peer peer = new Peer(connection, counted);
        peers.put(connection, peer);
        return peer;
    }

    void closed(HttpConnection connection) {
        peers.remove(connection);
    }

    /** The other end of a connection; one that is closed already has one too. */
    Peer peer(HttpConnection connection) {
        Peer peer = peers.get(connection);
        return peer == null ? new Peer(connection, counted) : peer;
    }

    void bodyStarted(Timed reading) {
        timed.put(reading, new Timing(counted + bodyNanos, counted + GRACE_NANOS, Refusal.SLOW_BODY, false));
    }

    /** Nothing is expected of the client: it is made to wait, for so long at most, and is refused for that reason then. */
    void waits(Timed waiting, Duration most, Refusal late) {
        long end = counted + most.toNanos();
        timed.put(waiting, new Timing(end, end, late, false));
    }

    /** The body has brought another {@link #PROGRESS_BYTES}. */
    void bodyProgressed(Timed reading) {
        Timing timing = timed.get(reading);
        if (timing != null) {
            timing.due = Math.min(counted + GRACE_NANOS, timing.end);
        }
    }

    void ended(Timed over) {
        timed.remove(over);
    }

    /** The request was answered while its body was still coming. */
    void linger(Timed rest) {
        timed.put(rest, new Timing(counted + LINGER_NANOS, counted + LINGER_NANOS, Refusal.SLOW_BODY, true));
    }

    /** @param crowded whether other connections wait for one of these to end */
    void sweep(boolean crowded) {
        long before = now;
        now = nanoTime.getAsLong();
        long until = counted + Math.min(now - before, LONGEST_STEP_NANOS);
        counted = until;
        List<Timed> over = new ArrayList<>();
        timed.forEach((reading, timing) -> {
            if (until - timing.due > 0 || reading.peer().isCutOff() || (crowded && timing.lingers)) {
                over.add(reading);
            }
        });
        // One by one: those behind one that fails stay for the next sweep.
        over.forEach(slow -> {
            Timing timing = timed.remove(slow);
            if (timing != null) {
                slow.timeOut(timing.late);
            }
        });
        long answeredNanos = crowded ? Math.min(idleNanos, CROWDED_NANOS) : idleNanos;
        List<Peer> idle = peers.values().stream()
                .filter(peer -> peer.isToClose(until, headerNanos, answeredNanos))
                .toList();
        idle.forEach(peer -> peer.close(until));
    }
}
