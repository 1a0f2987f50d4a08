package dev.holdfast.simulator;

import io.vertx.core.Context;
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
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Plays the endpoint that gives access tokens (interface, section 4.1): exchanges codes that it issued, each once, and
 * renews tokens on the same path with {@code grantType=refresh_token}, as the gateway assumes by default. Every parameter
 * is required, exactly once. Refusals come with status 200 and these invented codes:
 *
 * <table>
 * <caption>Codes of the envelope</caption>
 * <tr><td>40001</td><td>a parameter is missing, empty or there twice</td></tr>
 * <tr><td>40002</td><td>an unknown {@code grantType}</td></tr>
 * <tr><td>40101</td><td>no such application, or not its secret</td></tr>
 * <tr><td>40102</td><td>a code that was never issued, or is used up</td></tr>
 * <tr><td>40103</td><td>a code that has expired</td></tr>
 * <tr><td>40104</td><td>a refresh token that was never issued, or was replaced</td></tr>
 * <tr><td>40400</td><td>another path or method, with status 404</td></tr>
 * <tr><td>50000</td><td>a fault on request, with status 500</td></tr>
 * </table>
 *
 * <p>Any thread, unless said otherwise.
 */
public final class TokenEndpoint {
    private static final int OVERSIZE_BYTES = 1024 * 1024;

    private final Vertx vertx;
    private final TokenScript script;
    private final TokenIssuer issuer;
    private final RandomGenerator random;
    private final Consumer<TokenEvent> listener;
    private final Queue<TokenFault> ordered = new ArrayDeque<>();
    private final Queue<Runnable> held = new ArrayDeque<>();
    private @Nullable HttpServer server;
    private boolean paused;
    private long requests;
    private int underWay;
    private int mostUnderWay;

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

    /** Opens the port, or a free one for 0; succeeds with the one that is open. Once. */
    public Future<Integer> listen(HttpServerOptions options) {
        HttpServer opened = vertx.createHttpServer(options).requestHandler(this::take);
        server = opened;
        return opened.listen().map(HttpServer::actualPort);
    }

    public Future<Void> close() {
        return server == null ? Future.succeededFuture() : server.close();
    }

    /** A code that is good for one exchange. */
    public synchronized String issueCode() {
        return issuer.issueCode();
    }

    /** Orders a fault for the next request, or for the one after those already ordered. */
    public synchronized void order(TokenFault fault) {
        ordered.add(fault);
    }

    /** From now on requests wait. */
    public synchronized void pause() {
        paused = true;
    }

    /** Answers the requests that wait. */
    public void resume() {
        List<Runnable> waiting;
        synchronized (this) {
            paused = false;
            waiting = List.copyOf(held);
            held.clear();
        }
        waiting.forEach(Runnable::run);
    }

    /** Requests that came until now. */
    public synchronized long requests() {
        return requests;
    }

    /** The most requests that were unanswered at the same time. */
    public synchronized int mostUnderWay() {
        return mostUnderWay;
    }

    /** Whether the platform's API would take this access token now. */
    public synchronized boolean accepts(String accessToken) {
        return issuer.accepts(accessToken);
    }

    /** Whether a renewal with this refresh token would succeed. */
    public synchronized boolean renews(String refreshToken) {
        return issuer.renews(refreshToken);
    }

    /** Every code and token that was ever issued, for tests that look for them where they must not be. */
    public synchronized Set<String> secrets() {
        return issuer.secrets();
    }

    private void take(HttpServerRequest request) {
        Context context = vertx.getOrCreateContext();
        AtomicBoolean over = new AtomicBoolean();
        request.response().endHandler(end -> done(over)).closeHandler(close -> done(over));
        synchronized (this) {
            requests++;
            underWay++;
            mostUnderWay = Math.max(mostUnderWay, underWay);
            if (paused) {
                held.add(() -> context.runOnContext(now -> answer(request)));
                return;
            }
        }
        answer(request);
    }

    private synchronized void done(AtomicBoolean over) {
        if (over.compareAndSet(false, true)) {
            underWay--;
        }
    }

    private void answer(HttpServerRequest request) {
        TokenFault fault;
        TokenAnswer answer;
        synchronized (this) {
            boolean elsewhere =
                    !HttpMethod.GET.equals(request.method()) || !script.path().equals(request.path());
            fault = elsewhere ? null : nextFault();
            answer = elsewhere ? TokenAnswer.refusal(TokenAnswer.PATH, "no such endpoint") : act(request, fault);
            String grantType = request.getParam("grantType");
            listener.accept(new TokenEvent(grantType == null ? "" : grantType, answer.code(), fault));
        }
        write(request, answer, fault);
    }

    private TokenAnswer act(HttpServerRequest request, @Nullable TokenFault fault) {
        boolean idle = fault != null && !fault.acts() && fault != TokenFault.EXPIRED_CODE;
        return idle
                ? TokenAnswer.refusal(TokenAnswer.INTERNAL, "simulated fault")
                : issuer.answer(request.params(), fault == TokenFault.EXPIRED_CODE);
    }

    private @Nullable TokenFault nextFault() {
        TokenFault next = ordered.poll();
        List<TokenFault> faults = script.faults();
        if (next != null || faults.isEmpty() || random.nextDouble() >= script.faultRate()) {
            return next;
        }
        return faults.get(random.nextInt(faults.size()));
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
