package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.signature.SignatureScheme;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What stands behind a forwarder: a server that verifies what it gets, and can have any outage a server has. */
final class FaultyServer implements AutoCloseable {
    /** How the server is, in the order in which the troubles come. */
    enum Mood {
        DOWN,
        SLOW,
        RESETTING,
        /** Answers {@code 500} to the first attempt of a push and {@code 200} to the next. */
        FAILING_FIRST,
        /** Takes connections and requests and says nothing. */
        HALF_OPEN,
        WELL
    }

    private static final long SLOW_MILLIS = 500;

    /** Its own: what it does on the load's event loop would pass for the receiver's latency. */
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

    private final Arrivals arrivals = new Arrivals();
    private final int port;
    private volatile Mood mood = Mood.WELL;
    private @Nullable HttpServer listening;

    FaultyServer() throws IOException {
        this.port = LocalHttp.freePort();
        listen();
    }

    String url() {
        return "http://127.0.0.1:" + port + "/webhook";
    }

    /** What it took. */
    Arrivals arrivals() {
        return arrivals;
    }

    /** Blocks until it is so. */
    void become(Mood next) {
        mood = next;
        if (next == Mood.DOWN) {
            stopListening();
        } else if (listening == null) {
            listen();
        }
    }

    /** A connection that is closed without an answer is reset: that is what a linger of 0 means. */
    private void listen() {
        listening = vertx.createHttpServer(new HttpServerOptions().setSoLinger(0))
                .requestHandler(request -> request.body().onSuccess(body -> take(request, body.getBytes())))
                .listen(port, "127.0.0.1")
                .await();
    }

    private void take(HttpServerRequest request, byte[] body) {
        switch (mood) {
            case WELL -> accept(request, body);
            case SLOW -> vertx.setTimer(SLOW_MILLIS, timer -> accept(request, body));
            case RESETTING -> request.connection().close();
            case FAILING_FIRST -> {
                if (header(request, "Holdfast-Attempt").equals("1")) {
                    request.response().setStatusCode(500).end();
                } else {
                    accept(request, body);
                }
            }
            case DOWN, HALF_OPEN -> {
                // No answer.
            }
        }
    }

    private void accept(HttpServerRequest request, byte[] body) {
        String signature = header(request, "Service-Signature");
        if (request.response().closed()) {
            return;
        }
        if (!signature.equals(SignatureScheme.sign(body, BenchSettings.SECRET.getBytes(UTF_8)))) {
            request.response().setStatusCode(401).end();
            return;
        }
        arrivals.add(Long.parseLong(header(request, "Holdfast-Seq")), header(request, "Holdfast-Event"), signature);
        request.response().end();
    }

    private static String header(HttpServerRequest request, String name) {
        String value = request.getHeader(name);
        return value == null ? "" : value;
    }

    private void stopListening() {
        if (listening != null) {
            listening.close().await();
            listening = null;
        }
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
