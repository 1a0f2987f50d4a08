package dev.holdfast.token;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real HTTP server that answers as a test says, for answers that the simulated service never gives. */
final class ScriptedService implements AutoCloseable {
    final List<String> uris = new CopyOnWriteArrayList<>();
    final List<Map<String, String>> queries = new CopyOnWriteArrayList<>();
    final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    volatile Handler<HttpServerRequest> answer = request -> request.response().end();

    ScriptedService() {
        this(new HttpServerOptions());
    }

    ScriptedService(HttpServerOptions options) {
        server = vertx.createHttpServer(options.setHost("127.0.0.1").setPort(0)).requestHandler(this::record);
        server.listen().await();
    }

    /** Answers everything with this. */
    ScriptedService answering(int status, String body) {
        answer = request -> request.response().setStatusCode(status).end(body);
        return this;
    }

    int port() {
        return server.actualPort();
    }

    private void record(HttpServerRequest request) {
        uris.add(request.uri());
        Map<String, String> query = new ConcurrentHashMap<>();
        request.params().forEach(query::put);
        queries.add(query);
        answer.handle(request);
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
