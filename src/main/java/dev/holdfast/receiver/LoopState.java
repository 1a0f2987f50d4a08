package dev.holdfast.receiver;

import dev.holdfast.metrics.LatencyHistogram;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/** What the requests of one event loop share, and the one place that answers them. */
record LoopState(
        Receiver receiver,
        ReplyQueue replies,
        Deadlines deadlines,
        StorageWaits storageWaits,
        LatencyHistogram.Recorder acknowledgements,
        Context context) {
    /** The code with which HTTP/2 ends a stream that was answered early (RFC 9113, section 8.1). */
    private static final long NO_ERROR = 0;

    private static final String RETRY_AFTER_SECONDS = "5";

    /** What still comes of a request that was answered. */
    private record Rest(HttpServerRequest request, Peer peer) implements Deadlines.Timed {
        @Override
        public void timeOut() {
            end(request);
        }
    }

    /** Answers {@code 200} with nothing: what was sent is kept. */
    void accept(HttpServerRequest request) {
        receiver.shortage().over();
        if (receiver.draining()) {
            announceClose(request);
        }
        request.response().end();
    }

    /** Answers what the refusal says; what still comes of the request is dropped for a moment before the connection is. */
    void refuse(HttpServerRequest request, Refusal refusal) {
        receiver.refused(refusal, request.path());
        HttpServerResponse response = request.response().setStatusCode(refusal.status());
        response.putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8");
        if (refusal.passes()) {
            response.putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        if (refusal.closes() || receiver.draining()) {
            announceClose(request);
        }
        Future<Void> answered = response.end(refusal.text() + "\n");
        if (refusal.closes()) {
            dropRest(request, answered);
        }
    }

    private void dropRest(HttpServerRequest request, Future<Void> answered) {
        Peer peer = deadlines.peer(request.connection());
        if (request.version() != HttpVersion.HTTP_2) {
            peer.ends();
        }
        if (request.isEnded()) {
            answered.onComplete(done -> ended(request));
            return;
        }
        answered.onSuccess(done -> peer.endOutput());
        request.handler(rest -> {}).endHandler(v -> ended(request));
        request.resume();
        deadlines.linger(new Rest(request, peer));
    }

    /** Nothing more comes of the request; an HTTP/2 stream has ended with it. */
    private static void ended(HttpServerRequest request) {
        if (request.version() != HttpVersion.HTTP_2) {
            request.connection().close();
        }
    }

    /** Ends what carries the request: in HTTP/2 its stream, for the connection carries other pushes as well. */
    static void end(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset(NO_ERROR);
        } else {
            request.connection().close();
        }
    }

    private static void announceClose(HttpServerRequest request) {
        if (request.version() != HttpVersion.HTTP_2) {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
    }
}
