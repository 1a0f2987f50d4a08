package dev.holdfast.management;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.ext.web.RoutingContext;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the management port, bounded so that nobody keeps a probe out by having many. Ends those that ask
 * nothing for too long; when the last place is taken, also the one that has asked nothing for longest. Used by the
 * port's event loop alone.
 */
final class ManagementConnections {
    /** Limit from a connection's beginning to its first request's head, and from a head to the end of its body. */
    private static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Limit from an answer to the next head. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final int most;
    private final LongSupplier nanoTime;
    private final Map<HttpConnection, Use> uses = new HashMap<>();

    /** What a connection is doing, and since when. */
    private static final class Use {
        private int requests;
        private @Nullable HttpServerRequest latest;
        private long since;
        private long allowed = REQUEST_NANOS;

        Use(long now) {
            since = now;
        }

        void begin(HttpServerRequest request, long now) {
            requests++;
            latest = request;
            since = now;
            allowed = REQUEST_NANOS;
        }

        void end(long now) {
            requests--;
            since = now;
            allowed = IDLE_NANOS;
        }

        /** Whether the gateway waits for the client: for a request, or for the rest of one. */
        boolean isAwaited() {
            return requests == 0 || (latest != null && !latest.isEnded());
        }
    }

    /** @param most connections that the port has at once */
    ManagementConnections(int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
    }

    void opened(HttpConnection connection) {
        uses.put(connection, new Use(nanoTime.getAsLong()));
        connection.closeHandler(closed -> uses.remove(connection));
        if (uses.size() >= most) {
            long now = nanoTime.getAsLong();
            uses.entrySet().stream()
                    .filter(entry -> entry.getValue().isAwaited())
                    .min(Comparator.comparingLong(entry -> entry.getValue().since - now))
                    .ifPresent(longest -> close(longest.getKey()));
        }
    }

    /** The first of all routes. */
    void used(RoutingContext ctx) {
        Use use = uses.get(ctx.request().connection());
        if (use != null) {
            use.begin(ctx.request(), nanoTime.getAsLong());
            ctx.addEndHandler(ended -> use.end(nanoTime.getAsLong()));
        }
        ctx.next();
    }

    /** To be called every second or so. */
    void sweep() {
        long now = nanoTime.getAsLong();
        List<HttpConnection> late = uses.entrySet().stream()
                .filter(entry ->
                        entry.getValue().isAwaited() && now - entry.getValue().since > entry.getValue().allowed)
                .map(Map.Entry::getKey)
                .toList();
        late.forEach(this::close);
    }

    /** Closes it at once: a close by Vert.x alone waits until the client has read what it was answered. */
    private void close(HttpConnection connection) {
        uses.remove(connection);
        ((HttpServerConnection) connection).channelHandlerContext().close();
    }
}
