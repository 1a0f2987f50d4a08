package dev.holdfast.cli;

import dev.holdfast.simulator.Faults;
import dev.holdfast.simulator.Pace;
import dev.holdfast.simulator.Platform;
import dev.holdfast.simulator.PushSource;
import dev.holdfast.simulator.Script;
import dev.holdfast.simulator.Summary;
import dev.holdfast.simulator.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The demo's platform: pushes in bursts to one endpoint, and now and then one to another whose secret is out of date. */
final class DemoTraffic {
    private static final Logger LOG = LoggerFactory.getLogger(DemoTraffic.class);
    private static final double PARTNERS_RATE = 0.2;

    private final Platform main;
    private final Platform partner;
    private Future<?> played = Future.succeededFuture();

    /** @param pace the first endpoint's */
    DemoTraffic(Vertx vertx, DemoSecrets secrets, int port, Pace pace, DemoTrail trail) {
        main = platform(vertx, secrets.main(), "http://127.0.0.1:" + port + "/webhook", pace.withBursts(), trail);
        partner = platform(
                vertx,
                secrets.partnersNew(),
                "http://127.0.0.1:" + port + "/partner",
                new Pace(PARTNERS_RATE, null, Long.MAX_VALUE),
                trail);
    }

    private static Platform platform(Vertx vertx, String secret, String url, Pace pace, DemoTrail trail) {
        PushSource source = new PushSource(
                Script.standard(),
                secret.getBytes(StandardCharsets.UTF_8),
                Clock.systemUTC(),
                new SecureRandom().nextLong());
        return new Platform(
                vertx,
                source,
                Wire.to(URI.create(url)),
                pace,
                Faults.none(),
                (push, answer) -> trail.answered(push.event(), answer));
    }

    /** Begins; {@code onEnd} runs when the first endpoint has got all of its pushes. */
    void start(Runnable onEnd) {
        Future<Summary> first = main.run().andThen((summary, failure) -> onEnd.run());
        played = Future.all(first, partner.run());
    }

    /** Sends nothing more and waits for the answers: a push under way is not over before its answer is here. Blocks. */
    void stop(long millis) {
        main.stop();
        partner.stop();
        try {
            played.await(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("after {} ms some pushes are not answered yet", millis);
        }
    }
}
