package dev.holdfast.consumer.http;

import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/** What a receiver did on the connections to it; those that end are forgotten. Several threads. */
final class Connections {
    private final Set<HttpConnection> answered =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private final Map<HttpConnection, Integer> lastStreams = Collections.synchronizedMap(new WeakHashMap<>());

    /** A new one. What a failure has of a {@code GOAWAY} can be read no more when its request hears of it. */
    void watch(HttpConnection connection) {
        if (connection.protocolVersion() == HttpVersion.HTTP_2) {
            connection.goAwayHandler(end -> {
                if (end.getErrorCode() == 0) {
                    lastStreams.put(connection, end.getLastStreamId());
                }
            });
        }
    }

    void hasAnswered(HttpConnection connection) {
        answered.add(connection);
    }

    /** Whether an answer has come over it. */
    boolean isProven(HttpConnection connection) {
        return answered.contains(connection);
    }

    /** Whether the receiver has said, as only over HTTP/2 it can be, that it did not look at a request. */
    boolean isUnseen(HttpClientRequest request) {
        Integer last = lastStreams.get(request.connection());
        return last != null && request.streamId() > last;
    }
}
