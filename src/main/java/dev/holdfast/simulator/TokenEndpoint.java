package dev.holdfast.simulator;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Plays the endpoint that gives access tokens (interface, section 4.1): exchanges codes that it issued, each once, and
 * renews tokens on the same path with {@code grantType=refresh_token}, as the gateway assumes by default. Every parameter
 * is required, exactly once. Refusals come with status 200 and the invented codes of {@link TokenAnswer}. Any thread.
 */
public class TokenEndpoint {
    private static final int OVERSIZE_BYTES = 1024 * 1024;

    private final Vertx vertx;
    private final TokenScript script;
    private final TokenIssuer issuer;
    private final RandomGenerator random;
    private final Consumer<TokenEvent> listener;

    /** @param listener told of every request, one at a time, on an event loop; must not block */
    public TokenEndpoint(
            Vertx vertx,
            TokenScript script,
            InstantSource clock,
            RandomGenerator random,
            Consumer<TokenEvent> listener) {
        this.vertx = vertx;
        this.script = script;
        this.issuer = new TokenIssuer(script, clock, random);
        this.random = random;
        this.listener = listener;
    }

    /** Opens the port, or a free one for 0; succeeds with the one that is open. */
    public Future<Integer> listen(HttpServerOptions options) {
        return vertx.createHttpServer(options)
                .requestHandler(this::answer)
                .listen()
                .map(HttpServer::actualPort);
    }

    /** A code that is good for one exchange. */
    public synchronized String issueCode() {
        return issuer.issueCode();
    }

    /** Called on an event loop; tests hold it back. */
    void answer(HttpServerRequest request) {
        TokenFault fault;
        TokenAnswer answer;
        synchronized (this) {
            boolean elsewhere = !HttpMethod.GET.equals(request.method()) || !TokenScript.PATH.equals(request.path());
            fault = elsewhere ? null : nextFault();
            answer = elsewhere ? TokenAnswer.refusal(TokenAnswer.PATH, "no such endpoint") : act(request, fault);
            String grantType = request.getParam("grantType");
            listener.accept(new TokenEvent(grantType == null ? "" : grantType, answer.code(), fault));
        }
        write(request, answer, fault);
    }

    /** What the issuer answers; tests look at it. */
    TokenAnswer act(HttpServerRequest request, @Nullable TokenFault fault) {
        boolean idle = fault != null && !fault.acts() && fault != TokenFault.EXPIRED_CODE;
        return idle
                ? TokenAnswer.refusal(TokenAnswer.INTERNAL, "simulated fault")
                : issuer.answer(request.params(), fault == TokenFault.EXPIRED_CODE);
    }

    /** What goes wrong with this request; tests order it. */
    @Nullable
    TokenFault nextFault() {
        List<TokenFault> faults = script.faults();
        return faults.isEmpty() || random.nextDouble() >= script.faultRate()
                ? null
                : faults.get(random.nextInt(faults.size()));
    }

    private void write(HttpServerRequest request, TokenAnswer answer, @Nullable TokenFault fault) {
        String text = answer.json().encode();
        if (fault == null) {
            end(request, status(answer), text);
            return;
        }
        switch (fault) {
            case SLOW -> vertx.setTimer(script.slow().toMillis(), timer -> end(request, status(answer), text));
            case STATUS_500 -> end(request, 500, text);
            case BROKEN_JSON -> end(request, 200, text.substring(0, text.length() - 1));
            case WRONG_TYPES -> end(request, 200, withLifetime(answer, "7200"));
            case NO_LIFETIME -> end(request, 200, withLifetime(answer, 0));
            case OVERSIZE -> end(request, 200, text + " ".repeat(OVERSIZE_BYTES));
            case REDIRECT -> redirect(request);
            case RESET, LOST_ANSWER -> request.connection().close();
            case EXPIRED_CODE -> end(request, 200, text);
        }
    }

    private static String withLifetime(TokenAnswer answer, Object lifetime) {
        JsonObject json = answer.json();
        JsonObject data = json.getJsonObject("data");
        if (data != null) {
            data.put("expires_in", lifetime);
        }
        return json.encode();
    }

    private static void redirect(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        response.setStatusCode(302)
                .putHeader(HttpHeaders.LOCATION, request.uri())
                .end();
    }

    private static int status(TokenAnswer answer) {
        return switch (answer.code()) {
            case TokenAnswer.PATH -> 404;
            case TokenAnswer.INTERNAL -> 500;
            default -> 200;
        };
    }

    private static void end(HttpServerRequest request, int status, String text) {
        HttpServerResponse response = request.response();
        if (!response.closed()) {
            response.setStatusCode(status)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                    .end(text);
        }
    }
}
