package dev.holdfast.receiver;

import dev.holdfast.config.ReceiverConfig;
import io.vertx.core.http.HttpConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Ends what takes too long on one event loop: connections without a request, and bodies that don't come. All of them are
 * looked at in each {@link #sweep} instead of having a timer each, so a deadline is kept to the grain of the sweeps.
 */
final class Deadlines {
    /** How long the rest of a refused request is still read, so that the client sees the answer instead of a reset. */
    private static final long LINGER_NANOS = 2_000_000_000L;

    /** While others wait for a connection, one that has had its answer is kept for no longer. */
    private static final long CROWDED_NANOS = 2_000_000_000L;

    /** Something that ends when its time is over. */
    interface Timed {
        void timeOut();
    }

    private static final class Idleness {
        private long since;
        private long allowed;
        private int requests;
        private boolean served;

        Idleness(long since, long allowed) {
            this.since = since;
            this.allowed = allowed;
        }
    }

    private final long headerNanos;
    private final long bodyNanos;
    private final long idleNanos;
    private final LongSupplier nanoTime;
    private final Map<HttpConnection, Idleness> connections = new HashMap<>();
    private final Map<Timed, Long> timed = new HashMap<>();
    private long now;

    Deadlines(ReceiverConfig config, LongSupplier nanoTime) {
        this.headerNanos = config.headerTimeout().toNanos();
        this.bodyNanos = config.bodyTimeout().toNanos();
        this.idleNanos = config.idleTimeout().toNanos();
        this.nanoTime = nanoTime;
        this.now = nanoTime.getAsLong();
    }

    /** A connection that has yet to send its first request's head. */
    void opened(HttpConnection connection) {
        connections.put(connection, new Idleness(now, headerNanos));
    }

    void closed(HttpConnection connection) {
        connections.remove(connection);
    }

    void requestStarted(HttpConnection connection) {
        Idleness idleness = connections.get(connection);
        if (idleness != null) {
            idleness.requests++;
        }
    }

    /** From the answer on the connection counts as idle, even while the next head is trickling in. */
    void requestEnded(HttpConnection connection) {
        Idleness idleness = connections.get(connection);
        if (idleness != null) {
            idleness.requests--;
            idleness.served = true;
            idleness.since = now;
            idleness.allowed = idleNanos;
        }
    }

    void bodyStarted(Timed reading) {
        timed.put(reading, now + bodyNanos);
    }

    void bodyEnded(Timed reading) {
        timed.remove(reading);
    }

    /** The request was answered while its body was still coming. */
    void linger(Timed rest) {
        timed.put(rest, now + LINGER_NANOS);
    }

    /** @param crowded whether other connections wait for one of these to end */
    void sweep(boolean crowded) {
        now = nanoTime.getAsLong();
        List<Timed> over = new ArrayList<>();
        timed.forEach((reading, deadline) -> {
            if (now - deadline > 0) {
                over.add(reading);
            }
        });
        over.forEach(timed::remove);
        over.forEach(Timed::timeOut);
        List<HttpConnection> idle = new ArrayList<>();
        connections.forEach((connection, idleness) -> {
            long allowed = crowded && idleness.served ? Math.min(CROWDED_NANOS, idleness.allowed) : idleness.allowed;
            if (idleness.requests == 0 && now - idleness.since > allowed) {
                idle.add(connection);
            }
        });
        idle.forEach(HttpConnection::close);
    }
}
