package dev.holdfast.receiver;

import dev.holdfast.config.OwnAddress;
import dev.holdfast.config.ReceiverConfig;
import dev.holdfast.config.TlsConfig;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/** The receiver on one event loop: its server, and what belongs to this loop alone. */
public final class ReceiverVerticle extends VerticleBase {
    private static final int MAX_HEADER_BYTES = 16 * 1024;
    private static final int MAX_LINE_BYTES = 4 * 1024;
    private static final int BACKLOG = 4096;
    private static final long SWEEP_MILLIS = 100;
    private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(SWEEP_MILLIS);
    /** Vert.x gives the verticles of one deployment the same free port for a negative number. */
    private static final int SHARED_FREE_PORT = -1;

    private final Receiver receiver;
    private HttpServer server;
    private LoopState loop;
    private long dueAt;

    @SuppressWarnings("NullAway.Init") // set in start(), which comes before everything else
    ReceiverVerticle(Receiver receiver) {
        this.receiver = receiver;
    }

    /**
     * Opens the port, on as many event loops as there are processors. Fails when it can't be bound.
     *
     * @return the deployment; undeploying it closes the port and waits, up to the drain timeout, for the requests under way
     */
    public static Future<String> deploy(Vertx vertx, Receiver receiver) {
        return vertx.deployVerticle(
                () -> new ReceiverVerticle(receiver),
                new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors()));
    }

    @Override
    public Future<?> start() {
        loop = new LoopState(
                receiver, new ReplyQueue(context), new Deadlines(receiver.config, System::nanoTime), context);
        dueAt = System.nanoTime() + SWEEP_NANOS;
        vertx.setPeriodic(SWEEP_MILLIS, timer -> sweep());
        server = vertx.createHttpServer(options(receiver.config))
                .connectionHandler(this::connected)
                .invalidRequestHandler(this::undecodable)
                .requestHandler(this::received);
        return listen(receiver.config.host(), receiver.config.port()).map(listening -> {
            receiver.listening(listening, context);
            return listening;
        });
    }

    private Future<HttpServer> listen(String host, int port) {
        return port == 0
                ? server.listen(SHARED_FREE_PORT, host)
                : vertx.executeBlocking(() -> OwnAddress.of(host, port))
                        .compose(address -> server.listen(SocketAddress.inetSocketAddress(address)));
    }

    private void sweep() {
        measureLag();
        boolean crowded = receiver.isFull();
        loop.deadlines().sweep(crowded);
        // While the disk is what all wait for, giving up bodies that wait for room helps nobody.
        receiver.large.sweep(context, crowded && !receiver.inFlight.full());
    }

    /** Sweeps are due at a fixed rate: all that is due on this loop is about as late as they are. */
    private void measureLag() {
        long now = System.nanoTime();
        long late = Math.max(0, now - dueAt);
        receiver.loopLag().record(late);
        dueAt = (late == 0 ? now : dueAt) + SWEEP_NANOS;
    }

    @Override
    public Future<?> stop() {
        return server.shutdown(receiver.config.drainTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    private HttpServerOptions options(ReceiverConfig config) {
        HttpServerOptions options = new HttpServerOptions()
                .setMaxHeaderSize(MAX_HEADER_BYTES)
                .setMaxInitialLineLength(MAX_LINE_BYTES)
                .setAcceptBacklog(BACKLOG)
                // Nobody speaks WebSocket here, and its handler resets connections with 128 requests in a row.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setHttp2ClearTextEnabled(config.http2())
                .setUseAlpn(config.http2());
        if (config.http2()) {
            // Bodies that are made to wait take no more of a connection than its other streams can spare.
            options.setHttp2ConnectionWindowSize(Streams.OF_A_CONNECTION * Streams.WINDOW)
                    .getInitialSettings()
                    .setMaxHeaderListSize(MAX_HEADER_BYTES)
                    .setMaxConcurrentStreams(Streams.OF_A_CONNECTION)
                    .setInitialWindowSize(Streams.WINDOW);
            // Until a connection has said which HTTP it speaks, it is none of ours to look after: Vert.x waits for its
            // head.
            options.setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                    .setIdleTimeout((int) Math.min(config.headerTimeout().toMillis(), Integer.MAX_VALUE));
        }
        TlsConfig tls = config.tls();
        if (tls != null) {
            options.setSsl(true)
                    .setKeyCertOptions(tls.identity().pem())
                    .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                    .setSslHandshakeTimeout(config.headerTimeout().toMillis());
        }
        return options;
    }

    private void connected(HttpConnection connection) {
        Http1Edge.install(connection, loop.deadlines().opened(connection));
        connection.closeHandler(v -> loop.deadlines().closed(connection));
        // It is closed by then. All that matters of it is whether memory ran out.
        connection.exceptionHandler(receiver.shortage()::happened);
    }

    private void received(HttpServerRequest request) {
        if (!begins(request)) {
            return;
        }
        try {
            if (loop.admits(request)) {
                dispatch(request);
            }
        } catch (RuntimeException | Error e) {
            if (!request.response().headWritten()) {
                loop.refuse(request, receiver.unexpected(e));
            }
        }
    }

    private void dispatch(HttpServerRequest request) {
        Refusal refusal = RequestCheck.of(request);
        Endpoint endpoint = receiver.endpoints.at(request.path());
        if (refusal != null) {
            loop.refuse(request, refusal);
        } else if (endpoint == null) {
            loop.refuse(request, Refusal.NOT_FOUND);
        } else if (request.method().equals(HttpMethod.POST)) {
            new PushRequest(request, endpoint, loop).start();
        } else {
            request.response().putHeader(HttpHeaders.ALLOW, HttpMethod.POST.name());
            loop.refuse(request, Refusal.METHOD);
        }
    }

    /** Counts a request; false when its connection was told to end before it, so that nobody waits for an answer. */
    private boolean begins(HttpServerRequest request) {
        Peer peer = loop.deadlines().peer(request.connection());
        if (peer.isEnding()) {
            return false;
        }
        peer.requestBegins();
        receiver.meters.received();
        return true;
    }

    private void undecodable(HttpServerRequest request) {
        if (begins(request)) {
            loop.refuse(
                    request, RequestCheck.ofUndecodable(request.decoderResult().cause()));
        }
    }
}
