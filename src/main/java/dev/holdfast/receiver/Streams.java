package dev.holdfast.receiver;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The streams of HTTP/2, over all connections: as many at once as there is memory for, however many connections open theirs. Half
 * of it is anybody's, and beyond that each has its share as in a {@link Room}. Any thread.
 */
final class Streams {
    /** What comes of a stream before it is read, in bytes: as in HTTP/2 itself (RFC 9113, section 6.9.2). */
    static final int WINDOW = 65_535;

    /**
     * How many a connection is offered: as HTTP/2 recommends to permit at least (RFC 9113, section 6.5.2), and clients take for
     * granted until they are told.
     */
    static final int OF_A_CONNECTION = 100;

    /** What one takes with nothing in it; measured, and rounded up. */
    private static final int EMPTY = 8 * 1024;

    /** The memory of one: its head's until it is closed, and that of what may come of its body until it has. */
    final class Place {
        private final Peer connection;
        private final long head;
        private long body;
        private boolean closed;

        private Place(Peer connection, long head, long body) {
            this.connection = connection;
            this.head = head;
            this.body = body;
        }

        /** All of the body has come. */
        void complete() {
            synchronized (Streams.this) {
                if (!closed) {
                    open.add(connection.network(), connection, -body);
                    body = 0;
                }
            }
        }

        void close() {
            synchronized (Streams.this) {
                if (!closed) {
                    closed = true;
                    count--;
                    open.add(connection.network(), connection, -head - body);
                }
            }
        }
    }

    private final long capacity;
    private final Holdings open;
    private int count;

    /** @param capacity in bytes */
    Streams(long capacity) {
        this.capacity = capacity;
        this.open = new Holdings(capacity);
    }

    /** A place for a request that begins, to be given back; null when there is none. */
    @Nullable
    Place tryOpen(Peer connection, HttpServerRequest request) {
        return tryOpen(connection, head(request), body(request.getHeader(HttpHeaders.CONTENT_LENGTH)));
    }

    private static long body(@Nullable String length) {
        return length != null && length.matches("\\d{1,5}") ? Math.min(WINDOW, Integer.parseInt(length)) : WINDOW;
    }

    private static long head(HttpServerRequest request) {
        long bytes = (long) EMPTY + request.uri().length();
        for (Map.Entry<String, String> line : request.headers()) {
            bytes += line.getKey().length() + line.getValue().length();
        }
        return bytes;
    }

    synchronized @Nullable Place tryOpen(Peer connection, long head, long body) {
        if (!open.allow(connection.network(), connection, head + body)) {
            return null;
        }
        open.add(connection.network(), connection, head + body);
        count++;
        return new Place(connection, head, body);
    }

    /** Whether there are so many that not everybody may have another one. */
    synchronized boolean isCrowded() {
        return open.total() >= capacity / 2;
    }

    synchronized int count() {
        return count;
    }
}
