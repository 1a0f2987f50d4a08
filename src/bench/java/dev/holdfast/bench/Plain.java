package dev.holdfast.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.util.concurrent.CompletableFuture;

/** What the deliveries are measured against: Vert.x doing the same with nothing of Holdfast around it. */
final class Plain {
    private static final String ADDRESS = "plain";

    private final Vertx vertx = Vertx.vertx();
    private final Buffer body = Buffer.buffer(Backlog.small(0, 0));
    private final Context sender;
    private final WebClient client;
    private final int port;

    /** @param atOnce how many requests are under way over HTTP */
    Plain(int atOnce) {
        verticle().runOnContext(v -> vertx.eventBus().localConsumer(ADDRESS, message -> message.reply(null)));
        sender = verticle();
        client = WebClient.create(vertx, new WebClientOptions(), new PoolOptions().setHttp1MaxSize(atOnce));
        port = vertx.createHttpServer()
                .requestHandler(request ->
                        request.end().onSuccess(v -> request.response().end()))
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    /** The context of a new verticle: on an event loop of its own while there are enough. */
    private Context verticle() {
        CompletableFuture<Context> context = new CompletableFuture<>();
        vertx.deployVerticle(made -> {
                    context.complete(made);
                    return Future.succeededFuture();
                })
                .await();
        return context.join();
    }

    /** A server that answers 200 to everything. */
    String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    /** Requests from one verticle to another that are answered, per second, so many at once. */
    double bus(int count, int atOnce) {
        Stopwatch watch = new Stopwatch(count);
        sender.runOnContext(v -> {
            for (int i = 0; i < atOnce; i++) {
                request(watch);
            }
        });
        return watch.await();
    }

    private void request(Stopwatch watch) {
        DeliveryOptions local = new DeliveryOptions().setLocalOnly(true);
        vertx.eventBus().request(ADDRESS, "a message", local).onSuccess(reply -> {
            watch.tick();
            if (!watch.isOver()) {
                request(watch);
            }
        });
    }

    /** Requests answered per second over HTTP, so many at once, on as many connections. */
    double web(int count, int atOnce) {
        Stopwatch watch = new Stopwatch(count);
        for (int i = 0; i < atOnce; i++) {
            post(watch);
        }
        return watch.await();
    }

    private void post(Stopwatch watch) {
        client.postAbs(url()).sendBuffer(body).onSuccess(response -> {
            watch.tick();
            if (!watch.isOver()) {
                post(watch);
            }
        });
    }

    void close() {
        vertx.close().await();
    }
}
