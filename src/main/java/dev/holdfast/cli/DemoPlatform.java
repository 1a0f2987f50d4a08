package dev.holdfast.cli;

import dev.holdfast.simulator.Faults;
import dev.holdfast.simulator.Pace;
import dev.holdfast.simulator.Platform;
import dev.holdfast.simulator.PushSource;
import dev.holdfast.simulator.Script;
import dev.holdfast.simulator.Summary;
import dev.holdfast.simulator.TokenEndpoint;
import dev.holdfast.simulator.TokenEvent;
import dev.holdfast.simulator.TokenScript;
import dev.holdfast.simulator.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The demo's platform. It sends pushes in bursts to one endpoint, and now and then one to another endpoint whose secret
 * is out of date. It also gives access tokens, and shows a line for each that the gateway gets. Its secrets are made
 * for one run.
 */
final class DemoPlatform {
    private static final Logger LOG = LoggerFactory.getLogger(DemoPlatform.class);
    private static final double PARTNERS_RATE = 0.2;
    private static final String APP_ID = "demo";
    private static final int SECRET_BYTES = 32;

    /** So short that a renewal can be seen. */
    private static final Duration TOKEN_LIFETIME = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final DemoTrail trail;
    private final String secret = secret();
    private final String partnersSecret = secret();
    private List<Platform> platforms = List.of();
    private Future<?> played = Future.succeededFuture();

    DemoPlatform(Vertx vertx, DemoTrail trail) {
        this.vertx = vertx;
        this.trail = trail;
    }

    private static String secret() {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /**
     * Opens the endpoint for tokens on a free port of loopback, closed with the Vert.x. Returns the values that the
     * demo's configuration needs.
     */
    Map<String, String> open() {
        String appSecret = secret();
        TokenScript script = TokenScript.healthy(APP_ID, appSecret).withLifetime(TOKEN_LIFETIME);
        TokenEndpoint tokens = new TokenEndpoint(vertx, script, Clock.systemUTC(), new SecureRandom(), this::report);
        int port = tokens.listen(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .await();
        Map<String, String> variables = new HashMap<>();
        variables.put("TOKEN_URL", "http://127.0.0.1:" + port);
        variables.put("APP_ID", APP_ID);
        variables.put("APP_SECRET", appSecret);
        variables.put("AUTH_CODE", tokens.issueCode());
        variables.put("SECRET", secret);
        variables.put("OLD_SECRET", secret());
        variables.put("NEW_SECRET", partnersSecret);
        return variables;
    }

    private void report(TokenEvent event) {
        String what = event.grantType().equals("refresh_token") ? "renewed" : "exchanged for a code";
        String outcome = event.code() == 0
                ? what + ", good for " + TOKEN_LIFETIME.toSeconds() + " s"
                : "refused by the platform with code " + event.code();
        trail.say("access token", outcome);
    }

    /**
     * Begins to push.
     *
     * @param pace of pushes to the first endpoint
     * @param onEnd called when the first endpoint has got all of its pushes
     */
    void start(int port, Pace pace, Runnable onEnd) {
        Platform main = platform(secret, "http://127.0.0.1:" + port + "/webhook", pace.withBursts());
        Platform partner =
                platform(partnersSecret, "http://127.0.0.1:" + port + "/partner", new Pace(PARTNERS_RATE, null, null));
        platforms = List.of(main, partner);
        Future<Summary> first = main.run().andThen((summary, failure) -> onEnd.run());
        played = Future.all(first, partner.run());
    }

    private Platform platform(String signedWith, String url, Pace pace) {
        PushSource source = new PushSource(
                Script.standard(),
                signedWith.getBytes(StandardCharsets.UTF_8),
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

    /** Sends nothing more, and waits for the answers to what was sent. Blocks. */
    void stop(long millis) {
        platforms.forEach(Platform::stop);
        try {
            played.await(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("after {} ms some pushes are not answered yet", millis);
        }
    }
}
