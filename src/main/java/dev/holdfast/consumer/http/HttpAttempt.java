package dev.holdfast.consumer.http;

import dev.holdfast.consumer.FailureText;
import dev.holdfast.consumer.RetryLater;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.impl.HttpClientConnection;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. Nothing of it goes on once its future is completed: what has not ended by then is reset, so
 * that no attempt overtakes the next. The status decides; what goes wrong in the answer's body, or lies past the bound, costs
 * the connection and nothing else.
 */
final class HttpAttempt {
    private final Vertx vertx;
    private final HttpClient client;
    private final Connections connections;
    private final HttpOptions options;
    private final InstantSource clock;
    private final Promise<Void> outcome = Promise.promise();
    private @Nullable HttpClientRequest request;
    private @Nullable HttpClientResponse response;
    private boolean written;
    private boolean sentAgain;
    private long received;
    private boolean over;

    HttpAttempt(Vertx vertx, HttpClient client, Connections connections, HttpOptions options, InstantSource clock) {
        this.vertx = vertx;
        this.client = client;
        this.connections = connections;
        this.options = options;
        this.clock = clock;
    }

    Future<Void> run(RequestOptions head, Buffer body) {
        long timer = vertx.setTimer(options.requestTimeout().toMillis(), late -> timeOut());
        // A push that waits no more is to be given no connection.
        connect(head.setConnectTimeout(options.requestTimeout().toMillis()), body);
        return outcome.future().andThen((done, failure) -> vertx.cancelTimer(timer));
    }

    /**
     * A receiver that answers twice over has the second answer read with the first, and this request may have the connection already
     * while that goes on. As it is written only afterwards, Vert.x has nobody to give that answer to, and ends the connection.
     */
    private void connect(RequestOptions head, Buffer body) {
        // A client that is closed throws.
        Future.succeededFuture()
                .compose(v -> client.request(head))
                .onComplete(
                        connected -> vertx.runOnContext(v -> send(connected, head, body)),
                        failure -> breakOff(FailureText.of(failure)));
    }

    private void send(HttpClientRequest connected, RequestOptions head, Buffer body) {
        request = connected;
        if (over) {
            giveBack(connected);
            return;
        }
        connected.response().onComplete(this::take, failure -> {
            if (!over && connections.isProven(connected.connection()) && isOver(connected, failure)) {
                request = null;
                written = false;
                connect(head, body);
            } else {
                breakOff(FailureText.of(failure));
            }
        });
        connected.end(body).onSuccess(v -> written = true);
    }

    /** Of a stream of HTTP/2 that is never begun Vert.x's pool never hears that it is over: its place would be taken for ever. */
    private void giveBack(HttpClientRequest unused) {
        if (unused.version() == HttpVersion.HTTP_2) {
            retire(unused.connection());
        } else {
            unused.reset();
        }
    }

    /**
     * A receiver may end a connection, idle or after so many requests, in the moment in which the next request is written: that is no
     * failure of the push's, which is sent again over another one. But once, unless it was not looked at: it may be the push that the
     * receiver dies of.
     */
    private boolean isOver(HttpClientRequest ended, Throwable failure) {
        if (connections.isUnseen(ended)) {
            return true;
        }
        boolean first = !sentAgain;
        sentAgain = true;
        return first && (failure instanceof HttpClosedException || failure instanceof IOException);
    }

    /**
     * A connection on which nothing came may be dead without a word. Resetting the request ends it over HTTP/1.1, but over
     * HTTP/2 the next request would get it again: so it is to take no new one. Those of other lanes that are on it may end;
     * each has no longer than this one had.
     */
    private void timeOut() {
        if (response == null && request != null) {
            // Before its request is reset: the place that this frees is the next one's.
            retire(request.connection());
        }
        breakOff((request == null ? "no connection within " : "no answer within ")
                + options.requestTimeout().toMillis() + " ms");
    }

    private void retire(HttpConnection connection) {
        connection.shutdown(options.requestTimeout());
        vertx.setTimer(options.requestTimeout().toMillis(), end -> abort(connection));
    }

    /**
     * Vert.x takes an interim answer for the last one, but for 100 and 103, which it knows: over HTTP/1.1 it would take the last
     * one for that of the connection's next request. So the connection is closed, and what became of the push is unknown.
     */
    private void take(HttpClientResponse answer) {
        if (answer.statusCode() < 200) {
            breakOff("interim answer " + answer.statusCode() + ", expected 2xx");
            return;
        }
        response = answer;
        connections.hasAnswered(answer.request().connection());
        if (!written) {
            // Who answers that early may never read the rest, behind which the connection's next request would wait.
            finish(answer);
            reset(answer.request());
            return;
        }
        answer.handler(this::count);
        answer.exceptionHandler(failure -> breakOff(FailureText.of(failure)));
        answer.endHandler(end -> finish(answer));
    }

    private void count(Buffer chunk) {
        received += chunk.length();
        if (received > options.maxResponse()) {
            breakOff("the answer's body is larger than max-response");
        }
    }

    /** The end, unless it came before. With a status the receiver has said what became of the push, whatever happened since. */
    private void breakOff(String reason) {
        if (over) {
            return;
        }
        if (response != null) {
            finish(response);
        } else {
            over = true;
            outcome.fail(new RetryLater(options.target() + ": " + reason, Duration.ZERO));
        }
        if (request != null) {
            reset(request);
        }
    }

    private void reset(HttpClientRequest ended) {
        ended.reset();
        if (!written && ended.version() != HttpVersion.HTTP_2) {
            abort(ended.connection());
        }
    }

    /** Vert.x closes a connection when all is sent, which a receiver may take up long after the attempt, or never. */
    private static void abort(HttpConnection connection) {
        if (connection instanceof HttpClientConnection client) {
            ChannelHandlerContext first =
                    client.channelHandlerContext().pipeline().firstContext();
            if (first != null) {
                first.close();
            }
        }
    }

    private void finish(HttpClientResponse answer) {
        if (over) {
            return;
        }
        over = true;
        RuntimeException failure = ResponseClassifier.on(answer, options.target(), clock);
        if (failure == null) {
            outcome.complete();
        } else {
            outcome.fail(failure);
        }
    }
}
