package dev.holdfast.simulator;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One Webhook URL and the connections to it (interface, section 4.2). */
final class WebhookClient {
    /** Pieces in which a slow body comes. */
    private static final int PIECES = 20;

    /**
     * Connection limit for pushes on connections of their own; more than {@link PushSender} ever has under way there.
     */
    private static final int MOST_APART = 1024;

    private final Vertx vertx;
    private final Wire wire;
    private final String url;
    private final HttpClient shared;
    private final HttpClient apart;

    WebhookClient(Vertx vertx, Wire wire, URI target) {
        this.vertx = vertx;
        this.wire = wire;
        this.url = target.toString();
        this.shared = client(wire.connections());
        this.apart = client(MOST_APART);
    }

    /** Sends a push and gives the status of the answer, or fails as {@link Silence#of} understands. */
    Future<Integer> post(SimulatedPush push) {
        boolean slow = push.fault() == Fault.SLOW_BODY;
        HttpClient client = push.fault() != null && push.fault().needsOwnConnection() ? apart : shared;
        Future<HttpClientRequest> opened =
                client.request(new RequestOptions().setMethod(HttpMethod.POST).setAbsoluteURI(url));
        long timeout = wire.timeout().toMillis() + (slow ? wire.slowBody().toMillis() : 0);
        return opened.compose(request -> send(request, push, slow))
                .compose(WebhookClient::status)
                .timeout(timeout, TimeUnit.MILLISECONDS)
                .andThen((status, failure) -> {
                    if (failure instanceof TimeoutException) {
                        opened.onSuccess(HttpClientRequest::reset);
                    }
                });
    }

    Future<?> close() {
        return Future.join(shared.close(), apart.close());
    }

    private HttpClient client(int connections) {
        HttpClientOptions options = new HttpClientOptions()
                .setKeepAlive(true)
                .setPipelining(false)
                .setDecompressionSupported(false)
                .setTrustAll(wire.insecure())
                .setVerifyHost(!wire.insecure())
                // the push's own timeout comes first
                .setConnectTimeout(Math.toIntExact(Math.min(wire.timeout().toMillis() * 2, Integer.MAX_VALUE)));
        return vertx.httpClientBuilder()
                .with(options)
                .with(new PoolOptions().setHttp1MaxSize(connections))
                // the pushes on a connection that breaks are counted; without a handler Vert.x logs an error for each
                .withConnectHandler(connection -> connection.exceptionHandler(counted -> {}))
                .build();
    }

    private Future<HttpClientResponse> send(HttpClientRequest request, SimulatedPush push, boolean slow) {
        request.putHeader("Content-Type", "application/json; charset=utf-8")
                .putHeader("Content-Length", Integer.toString(push.body().length()))
                .putHeader(wire.signatureHeader(), push.signature())
                .putHeader("Accept-Encoding", "gzip")
                // the answer's future fails too, and is counted; without a handler Vert.x logs it as an error
                .exceptionHandler(counted -> {});
        if (!slow) {
            // not send(), which fails with the write when an answer such as 413 comes before the body's end
            request.end(push.body());
            return request.response();
        }
        return dribble(request, push.body());
    }

    private Future<HttpClientResponse> dribble(HttpClientRequest request, Buffer body) {
        int step = Math.max(1, (body.length() + PIECES - 1) / PIECES);
        long pause = Math.max(1, wire.slowBody().toMillis() / PIECES);
        Promise<HttpClientResponse> answered = Promise.promise();
        int[] from = {0};
        long timer = vertx.setPeriodic(0, pause, id -> {
            int to = Math.min(body.length(), from[0] + step);
            Buffer piece = body.getBuffer(from[0], to);
            from[0] = to;
            if (to == body.length()) {
                vertx.cancelTimer(id);
                request.end(piece);
            } else {
                request.write(piece);
            }
        });
        request.response().onComplete(answered);
        return answered.future().andThen((response, failure) -> vertx.cancelTimer(timer));
    }

    private static Future<Integer> status(HttpClientResponse response) {
        // a status is an answer, whatever becomes of a body after it
        return response.end().transform(ended -> Future.succeededFuture(response.statusCode()));
    }
}
