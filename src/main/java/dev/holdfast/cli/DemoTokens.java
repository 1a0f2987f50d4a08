package dev.holdfast.cli;

import dev.holdfast.simulator.TokenEndpoint;
import dev.holdfast.simulator.TokenEvent;
import dev.holdfast.simulator.TokenScript;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** The demo's endpoint for access tokens, with a line for each that the gateway gets. */
final class DemoTokens {
    private static final String APP_ID = "demo";
    /** Short, so that a renewal is to be seen. */
    private static final Duration LIFETIME = Duration.ofSeconds(30);

    private final DemoTrail trail;
    private final String appSecret;
    private final TokenEndpoint endpoint;
    private final int port;

    /** Opens the endpoint on a free port of loopback; closed with the Vert.x. Blocks. */
    DemoTokens(Vertx vertx, DemoTrail trail, String appSecret) {
        this.trail = trail;
        this.appSecret = appSecret;
        TokenScript script = TokenScript.healthy(APP_ID, appSecret).withLifetime(LIFETIME);
        this.endpoint = new TokenEndpoint(vertx, script, Clock.systemUTC(), new SecureRandom(), this::report);
        this.port = endpoint.listen(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .await();
    }

    /** What the demo's configuration wants to know. */
    Map<String, String> variables() {
        return Map.of(
                "TOKEN_URL",
                "http://127.0.0.1:" + port,
                "APP_ID",
                APP_ID,
                "APP_SECRET",
                appSecret,
                "AUTH_CODE",
                endpoint.issueCode());
    }

    private void report(TokenEvent event) {
        String what = event.grantType().equals("refresh_token") ? "renewed" : "exchanged for a code";
        String outcome = event.code() == 0
                ? what + ", good for " + LIFETIME.toSeconds() + " s"
                : "refused by the platform with code " + event.code();
        trail.say("access token", outcome);
    }
}
