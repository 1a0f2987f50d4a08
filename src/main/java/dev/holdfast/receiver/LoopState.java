package dev.holdfast.receiver;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/** What the requests of one event loop share, and the one place that answers them. */
record LoopState(Receiver receiver, ReplyQueue replies, Deadlines deadlines, Context context) {
    /** The code with which HTTP/2 ends what has its answer: a stream (RFC 9113, section 8.1) or a connection. */
    private static final long NO_ERROR = 0;

    /** The code with which a stream ends unread: its client may send the request again (RFC 9113, section 8.7). */
    private static final long REFUSED_STREAM = 7;

    private static final String RETRY_AFTER_SECONDS = "5";

    /** What still comes of a request that was answered. */
    private record Rest(HttpServerRequest request, Peer peer) implements Deadlines.Timed {
        @Override
        public void timeOut(Refusal late) {
            end(request);
        }
    }

    /** Whether there is memory for the request; a stream for which there is none is reset. In HTTP/1 its connection has it. */
    boolean admits(HttpServerRequest request) {
        if (!isStream(request)) {
            return true;
        }
        Peer peer = deadlines.peer(request.connection());
        if (!receiver.streams.tryOpen(peer, request)) {
            receiver.crowded("streams of HTTP/2", peer);
            receiver.refused(Refusal.CROWDED, request.path(), false);
            request.response().reset(REFUSED_STREAM);
            return false;
        }
        return true;
    }

    private static boolean isStream(HttpServerRequest request) {
        return request.version() == HttpVersion.HTTP_2;
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
        receiver.refused(refusal, request.path(), true);
        HttpServerResponse response = request.response().setStatusCode(refusal.status());
        response.putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8");
        if (refusal.passes()) {
            response.putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        if (receiver.draining() || (refusal.closes() && !isStream(request))) {
            announceClose(request);
        }
        Future<Void> answered = response.end(refusal.text() + "\n");
        if (isStream(request) && request.isEnded()) {
            awaitTaken(request, answered);
        } else if (refusal.closes()) {
            dropRest(request, answered);
        }
    }

    /** A stream holds what was sent in it until the client has taken the answer: one that doesn't take it is ended. */
    private void awaitTaken(HttpServerRequest request, Future<Void> answered) {
        Rest rest = new Rest(request, deadlines.peer(request.connection()));
        deadlines.linger(rest);
        answered.onComplete(done -> deadlines.ended(rest));
    }

    private void dropRest(HttpServerRequest request, Future<Void> answered) {
        Peer peer = deadlines.peer(request.connection());
        if (!isStream(request)) {
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
        if (!isStream(request)) {
            request.connection().close();
        }
    }

    /** Ends what carries the request: in HTTP/2 its stream, for the connection carries other pushes as well. */
    static void end(HttpServerRequest request) {
        if (isStream(request)) {
            request.response().reset(NO_ERROR);
        } else {
            request.connection().close();
        }
    }

    /** HTTP/2's way of it lets those go on that are under way (RFC 9113, section 6.8). */
    @SuppressWarnings("deprecation") // shutdown() refuses the streams that are on their way
    private static void announceClose(HttpServerRequest request) {
        if (isStream(request)) {
            request.connection().goAway(NO_ERROR, Integer.MAX_VALUE);
        } else {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
    }
}
