package dev.holdfast.cli;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.Set;

/**
 * Plays a server that pushes are forwarded to, on a free port of loopback. Now and then it is out of order for some
 * attempts; some pushes it refuses until somebody retries them.
 */
final class DemoCrm {
    private static final String SEQ = "Holdfast-Seq";
    private static final String ATTEMPT = "Holdfast-Attempt";

    // These numbers fit the topics that it gets, as the platform sends them in turn.
    private static final long FAILS_EVERY = 96;
    private static final long FAILS_AT = 7;
    private static final int FAILING_ATTEMPTS = 3;
    private static final long REFUSES_EVERY = 200;
    private static final long REFUSES_AT = 13;

    private static final int OK = 200;
    private static final int REFUSED = 422;
    private static final int OUT_OF_ORDER = 503;

    private final HttpServer server;
    private final DemoTrail trail;
    private final Set<Long> refused = new HashSet<>();

    /** Opens the server, which is closed with the Vert.x. Blocks. */
    DemoCrm(Vertx vertx, DemoTrail trail) {
        this.trail = trail;
        this.server = vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .requestHandler(this::answer)
                .listen()
                .await();
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort() + "/contacts";
    }

    private void answer(HttpServerRequest request) {
        int status = status(Long.parseLong(request.getHeader(SEQ)), Integer.parseInt(request.getHeader(ATTEMPT)));
        request.end()
                .onComplete(read -> request.response().setStatusCode(status).end());
    }

    /** On one event loop. */
    private int status(long seq, int attempt) {
        if (seq % REFUSES_EVERY == REFUSES_AT && refused.add(seq)) {
            trail.refusedByCrm(seq);
            return REFUSED;
        }
        return seq % FAILS_EVERY == FAILS_AT && attempt <= FAILING_ATTEMPTS ? OUT_OF_ORDER : OK;
    }
}
