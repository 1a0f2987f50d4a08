package dev.holdfast.bench;

import io.vertx.core.http.HttpServerRequest;

/** Server (a): buffers the body and answers {@code 200}. Usage: {@code BareServer PORT}. */
final class BareServer {
    private BareServer() {}

    public static void main(String[] args) {
        YardstickServer.run(Integer.parseInt(args[0]), () -> BareServer::answer);
    }

    private static void answer(HttpServerRequest request) {
        request.bodyHandler(body -> request.response().end());
    }
}
