package dev.holdfast.receiver;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The streams of HTTP/2, over all connections: as many at once as there is memory for, however many connections open theirs. One
 * takes that of its head until it is closed, and of what may come of its body until it has. Any thread.
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

    private final Holdings open;

    /** @param memory what all that are open may take, in bytes */
    Streams(long memory) {
        this.open = new Holdings(memory, memory);
    }

    /** Whether there is memory for a request that begins. */
    boolean tryOpen(Peer connection, HttpServerRequest request) {
        long head = head(request);
        Holdings.Holding stream = open.tryTake(connection, head + body(request.getHeader(HttpHeaders.CONTENT_LENGTH)));
        if (stream == null) {
            return false;
        }
        request.end().onComplete(read -> stream.shrink(head));
        request.response().closeHandler(v -> stream.release());
        return true;
    }

    /** Whether others may be refused by now. */
    boolean areCrowded() {
        return open.isCrowded();
    }

    /** How many are open. */
    int count() {
        return open.count();
    }

    private static long body(@Nullable String length) {
        return length != null && length.matches("\\d{1,5}") ? Math.min(WINDOW, Integer.parseInt(length)) : WINDOW;
    }

    private static long head(HttpServerRequest request) {
        // A CONNECT has none.
        long bytes =
                (long) EMPTY + Objects.requireNonNullElse(request.uri(), "").length();
        for (Map.Entry<String, String> line : request.headers()) {
            bytes += line.getKey().length() + line.getValue().length();
        }
        return bytes;
    }
}
