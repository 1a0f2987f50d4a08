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
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.impl.HttpClientConnection;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. Nothing of it goes on once its future is completed: what has not ended by then is reset,
 * so that no attempt overtakes the next. The status decides; if the answer's body fails or is too long, only the
 * connection is closed.
 */
final class HttpAttempt {
    /** Interim answers, of 100 and 103: without a bound they take the event loop's time until the attempt ends. */
    private static final int MOST_INTERIM = 100;

    private final Vertx vertx;
    private final HttpClient client;
    private final HttpOptions options;
    private final InstantSource clock;
    private final Promise<Void> outcome = Promise.promise();
    private @Nullable HttpClientRequest request;
    private @Nullable HttpClientResponse response;
    private boolean written;
    private boolean sentAgain;
    private int interim;
    private long received;

    HttpAttempt(Vertx vertx, HttpClient client, HttpOptions options, InstantSource clock) {
        this.vertx = vertx;
        this.client = client;
        this.options = options;
        this.clock = clock;
    }

    Future<Void> run(RequestOptions head, Buffer body) {
        long timer = vertx.setTimer(options.requestTimeout().toMillis(), late -> timeOut());
        // An attempt that still waits for a connection of the pool gives up when it ends.
        connect(head.setConnectTimeout(options.requestTimeout().toMillis()), body);
        return outcome.future().andThen((done, failure) -> vertx.cancelTimer(timer));
    }

    /**
     * Writes the request not at once but in the event loop's next turn. If the receiver answered the connection's last
     * request twice, the second answer is read before that: Vert.x expects no answer then, and closes the connection.
     * Otherwise it would take that answer for the one to this request. If it is the connection's end that is read before,
     * Vert.x logs an error, unless somebody listens: whoever waits for the answer hears of it as well.
     */
    private void connect(RequestOptions head, Buffer body) {
        // A client that is closed throws.
        Future.succeededFuture()
                .compose(v -> client.request(head))
                .onComplete(
                        connected -> {
                            connected.exceptionHandler(unwritten -> {});
                            vertx.runOnContext(v -> send(connected, head, body));
                        },
                        failure -> breakOff(reason(failure)));
    }

    private void send(HttpClientRequest connected, RequestOptions head, Buffer body) {
        request = connected;
        if (isOver()) {
            connected.reset();
            return;
        }
        connected.continueHandler(more -> countInterim());
        connected.earlyHintsHandler(more -> countInterim());
        connected.response().onComplete(this::take, failure -> {
            if (!isOver() && isProven(connected.connection()) && isUnread(failure)) {
                request = null;
                written = false;
                connect(head, body);
            } else {
                breakOff(reason(failure));
            }
        });
        connected.end(body).onSuccess(v -> written = true);
    }

    /** Where an answer is malformed Netty quotes what is wrong, and a receiver may have answered with the push. */
    static String reason(Throwable failure) {
        return failure instanceof IllegalArgumentException
                ? "found an answer that is malformed, expected HTTP/1.1"
                : FailureText.of(failure);
    }

    /** Whether the connection has brought an answer before. */
    private static boolean isProven(HttpConnection connection) {
        return connection instanceof HttpClientConnection client && client.lastResponseReceivedTimestamp() > 0;
    }

    /**
     * Whether the receiver closed the connection in the moment in which this request was written, as it may with one
     * that is idle or has had many requests. That is no failure of the push, which is sent again over another
     * connection. But only once: it may be the push that crashes the receiver.
     */
    private boolean isUnread(Throwable failure) {
        boolean first = !sentAgain;
        sentAgain = true;
        return first && (failure instanceof HttpClosedException || failure instanceof IOException);
    }

    private void timeOut() {
        breakOff((request == null ? "no connection within " : "no answer within ")
                + options.requestTimeout().toMillis() + " ms");
    }

    /**
     * Takes the answer. Vert.x treats an interim answer other than 100 and 103 as the final one, and would treat the
     * final one as the answer to the connection's next request. So the connection is closed then, and what became of
     * the push is unknown.
     */
    private void take(HttpClientResponse answer) {
        answer.exceptionHandler(failure -> breakOff(reason(failure)));
        if (answer.statusCode() < 200) {
            breakOff("interim answer " + answer.statusCode() + ", expected 2xx");
            return;
        }
        response = answer;
        if (!written) {
            // A receiver that answers before it got everything may never read the rest, which the connection's next
            // request would wait for.
            finish(answer);
            reset(answer.request());
            return;
        }
        answer.handler(this::count);
        answer.endHandler(end -> finish(answer));
    }

    private void countInterim() {
        if (++interim > MOST_INTERIM) {
            breakOff("more than " + MOST_INTERIM + " interim answers, expected 2xx");
        }
    }

    private void count(Buffer chunk) {
        received += chunk.length();
        if (received > options.maxResponse()) {
            breakOff("the answer's body is larger than max-response");
        }
    }

    /**
     * Ends the attempt, unless it has ended. Once there is a status, the receiver has said what became of the push,
     * whatever happened since.
     */
    private void breakOff(String reason) {
        if (isOver()) {
            return;
        }
        if (response != null) {
            finish(response);
        } else {
            outcome.fail(new RetryLater(options.target() + ": " + reason, Duration.ZERO));
        }
        if (request != null) {
            reset(request);
        }
    }

    private void reset(HttpClientRequest ended) {
        ended.reset();
        if (!written) {
            abort(ended.connection());
        }
    }

    /**
     * Closes a connection at once. Vert.x's own close waits until everything is sent, which the receiver may take long
     * after the attempt, or never.
     */
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
        RuntimeException failure = ResponseClassifier.on(answer, options.target(), clock);
        if (failure == null) {
            outcome.tryComplete();
        } else {
            outcome.tryFail(failure);
        }
    }

    private boolean isOver() {
        return outcome.future().isComplete();
    }
}
