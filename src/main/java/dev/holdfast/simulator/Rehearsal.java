package dev.holdfast.simulator;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/**
 * Sends some pushes to a receiver of its own before the platform is played. Without it the first second of a fresh Java,
 * which still loads and compiles the simulator, would be counted as the receiver's latency.
 */
public final class Rehearsal {
    /** With fewer, the first second costs more processor time for each push; with more, none less. */
    private static final long PUSHES = 2000;

    private static final double AS_FAST_AS_POSSIBLE = 1e6;
    private static final byte[] NO_SECRET = "rehearsal".getBytes(StandardCharsets.UTF_8);

    private Rehearsal() {}

    /** Rehearses over loopback; completes also when that is impossible, since nothing depends on it. */
    public static Future<?> play(Vertx vertx) {
        HttpServer receiver = vertx.createHttpServer().requestHandler(Rehearsal::answer);
        return receiver.listen(0, "127.0.0.1")
                .compose(listening -> pushTo(vertx, listening.actualPort()))
                .eventually(receiver::close)
                .otherwiseEmpty();
    }

    private static void answer(HttpServerRequest request) {
        request.end().onSuccess(body -> request.response().end());
    }

    private static Future<Summary> pushTo(Vertx vertx, int port) {
        PushSource source = new PushSource(Script.standard(), NO_SECRET, Clock.systemUTC(), 0);
        Wire wire = Wire.to(URI.create("http://127.0.0.1:" + port));
        Pace pace = Pace.count(AS_FAST_AS_POSSIBLE, PUSHES);
        return new Platform(vertx, source, wire, pace, Faults.none(), (push, answer) -> {}).run();
    }
}
