package dev.holdfast.cli;

import dev.holdfast.simulator.TokenEndpoint;
import dev.holdfast.simulator.TokenEvent;
import dev.holdfast.simulator.TokenFault;
import dev.holdfast.simulator.TokenScript;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** The options of {@code simulate} that play the endpoint for access tokens, and playing it. */
final class TokenService {
    private static final String HOST = "127.0.0.1";
    private static final int LAST_PORT = 65_535;
    private static final String USUAL_SECRET = "simulated-app-secret";

    @Option(
            names = "--serve-tokens",
            showDefaultValue = Visibility.NEVER,
            paramLabel = "PORT",
            description = "Play the endpoint for access tokens on this port of 127.0.0.1, 0 for a free one; alone until"
                    + " Ctrl-C, or while pushes are sent with --to.")
    @Nullable
    Integer port;

    @Option(names = "--app-id", paramLabel = "ID", description = "The application that the token endpoint knows.")
    String appId = "simulated-app";

    @Option(
            names = "--app-secret-env",
            showDefaultValue = Visibility.NEVER,
            paramLabel = "VARIABLE",
            description = "The environment variable with its secret. Without it: " + USUAL_SECRET + ".")
    @Nullable
    String secretVariable;

    @Option(
            names = "--token-lifetime",
            paramLabel = "TIME",
            defaultValue = "2h",
            description = "How long an access token is good.")
    Duration lifetime = TokenScript.LIFETIME;

    @Option(
            names = "--code-lifetime",
            paramLabel = "TIME",
            defaultValue = "10m",
            description = "How long a code may wait for its exchange.")
    Duration codeLifetime = Duration.ofMinutes(10);

    @Option(
            names = "--strict-rotation",
            description =
                    "A refresh token is dead once it was used. Without it: once the one that replaced it is used.")
    boolean strictRotation;

    @Option(
            names = "--token-fault",
            showDefaultValue = Visibility.NEVER,
            split = ",",
            paramLabel = "FAULT",
            description =
                    "Let some requests for a token go wrong; may be given several times: ${COMPLETION-CANDIDATES}.")
    List<TokenFault> faults = List.of();

    @Option(
            names = "--token-fault-rate",
            paramLabel = "PART",
            description = "The part of all requests for a token that go wrong, 0 to 1.")
    double faultRate = 0.2;

    boolean isWanted() {
        return port != null;
    }

    /**
     * Opens the endpoint and prints what it plays and what to configure; does nothing if it isn't wanted.
     *
     * @return closes it
     * @throws IllegalArgumentException when an option makes no sense
     */
    Runnable play(PrintWriter out, Map<String, String> environment) {
        if (port == null) {
            return () -> {};
        }
        if (port < 0 || port > LAST_PORT) {
            throw new IllegalArgumentException(
                    "--serve-tokens: " + port + " (expected: a port from 0 to " + LAST_PORT + ")");
        }
        TokenScript script = script(environment);
        Vertx vertx = Simulation.vertx();
        TokenEndpoint[] endpoint = new TokenEndpoint[1];
        endpoint[0] = new TokenEndpoint(
                vertx, script, Clock.systemUTC(), new SecureRandom(), event -> report(out, event, endpoint[0]));
        try {
            greet(out, open(endpoint[0], port), endpoint[0].issueCode());
        } catch (RuntimeException e) {
            vertx.close().await();
            throw e;
        }
        return () -> vertx.close().await();
    }

    private static int open(TokenEndpoint endpoint, int port) {
        HttpServerOptions options = new HttpServerOptions().setHost(HOST).setPort(port);
        return endpoint.listen(options)
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        "--serve-tokens: can't listen on " + HOST + ":" + port + ": " + failure.getMessage(), failure)))
                .await();
    }

    private TokenScript script(Map<String, String> environment) {
        return new TokenScript(
                appId,
                secret(environment),
                lifetime,
                codeLifetime,
                strictRotation,
                Duration.ofMinutes(1),
                faults,
                faults.isEmpty() ? 0 : faultRate);
    }

    private String secret(Map<String, String> environment) {
        if (secretVariable == null) {
            return USUAL_SECRET;
        }
        String secret = environment.getOrDefault(secretVariable, "");
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("--app-secret-env: the environment variable " + secretVariable
                    + " is not set (expected: the application's secret)");
        }
        return secret;
    }

    private void greet(PrintWriter out, int open, String code) {
        out.println("The endpoint for access tokens is played at http://127.0.0.1:" + open + TokenScript.PATH);
        out.println("  token.base-url    http://127.0.0.1:" + open);
        out.println("  token.app-id      " + appId);
        out.println("  token.app-secret  " + (secretVariable == null ? USUAL_SECRET : "that in " + secretVariable));
        out.println("  token.code        " + code);
        String wrong = faults.isEmpty() ? "nothing" : faultRate + " of all requests, " + faults;
        out.println("A code is good once, a token for " + lifetime.toSeconds() + " s. What goes wrong: " + wrong + ".");
        out.println();
        out.flush();
    }

    private static void report(PrintWriter out, TokenEvent event, TokenEndpoint endpoint) {
        boolean exchange = event.grantType().equals("authorization_code");
        out.printf(
                Locale.ROOT,
                "%-22s answered %d%s%n",
                exchange ? "exchange of a code" : event.grantType().isEmpty() ? "no grantType" : "renewal of a token",
                event.code(),
                event.fault() == null ? "" : ", gone wrong on purpose: " + event.fault());
        if (exchange) {
            out.println("  the next code     " + endpoint.issueCode());
        }
        out.flush();
    }
}
