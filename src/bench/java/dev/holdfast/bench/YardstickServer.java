package dev.holdfast.bench;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Supplier;

/**
 * What the two servers that Holdfast is compared with have in common: one HTTP server per event loop, native transport,
 * HTTP/1.1 on loopback. As many event loops as processors, as the gateway has.
 */
final class YardstickServer extends VerticleBase {
    private final int port;
    private final Supplier<Handler<HttpServerRequest>> handlers;

    private YardstickServer(int port, Supplier<Handler<HttpServerRequest>> handlers) {
        this.port = port;
        this.handlers = handlers;
    }

    /** Serves until the process is ended; {@code handlers} makes one handler per event loop. */
    static void run(int port, Supplier<Handler<HttpServerRequest>> handlers) {
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx =
                Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops));
        vertx.deployVerticle(() -> new YardstickServer(port, handlers), new DeploymentOptions().setInstances(loops))
                .await();
        System.out.println(
                "ready on " + port + ", event loops " + loops + ", native " + vertx.isNativeTransportEnabled());
    }

    @Override
    public Future<?> start() {
        return vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                .requestHandler(handlers.get())
                .listen(port, "127.0.0.1");
    }
}
