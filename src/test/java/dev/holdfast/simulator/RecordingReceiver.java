package dev.holdfast.simulator;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real HTTP server that keeps what it receives and answers as told. */
public final class RecordingReceiver implements AutoCloseable {
    private final List<ReceivedPush> received = new CopyOnWriteArrayList<>();
    private final Set<Object> connections = ConcurrentHashMap.newKeySet();
    private final Handler<HttpServerRequest> answer;
    private final HttpServer server;

    private RecordingReceiver(Vertx vertx, Handler<HttpServerRequest> answer) {
        this.answer = answer;
        this.server = vertx.createHttpServer(new HttpServerOptions()).requestHandler(this::record);
    }

    /** Answers every request with this status, once its body is complete. */
    public static RecordingReceiver answering(Vertx vertx, int status) {
        return handling(
                vertx, request -> request.response().setStatusCode(status).end());
    }

    /** Hands every request over once its body is complete. */
    public static RecordingReceiver handling(Vertx vertx, Handler<HttpServerRequest> answer) {
        RecordingReceiver receiver = new RecordingReceiver(vertx, answer);
        receiver.server.listen(0, "127.0.0.1").await();
        return receiver;
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.actualPort() + "/webhook");
    }

    List<ReceivedPush> received() {
        return received;
    }

    public int count() {
        return received.size();
    }

    /** How many bear the published header with the right signature. */
    public long signedWith(String secret) {
        return received.stream()
                .filter(push -> push.body().signedWith(secret).equals(push.signature()))
                .count();
    }

    int connections() {
        return connections.size();
    }

    @Override
    public void close() {
        server.close().await();
    }

    private void record(HttpServerRequest request) {
        connections.add(request.connection());
        long begun = System.nanoTime();
        Buffer body = Buffer.buffer();
        int[] pieces = {0};
        request.handler(piece -> {
            body.appendBuffer(piece);
            pieces[0]++;
        });
        request.endHandler(end -> {
            received.add(new ReceivedPush(
                    request.method(),
                    request.version(),
                    request.uri(),
                    request.headers(),
                    new PushBody(body),
                    System.nanoTime() - begun,
                    pieces[0]));
            answer.handle(request);
        });
    }
}
