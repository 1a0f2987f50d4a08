package dev.holdfast.simulator;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The endpoint for tokens, whose requests a test counts, holds back and lets go wrong. Any thread. */
public final class DrivenTokenEndpoint extends TokenEndpoint {
    private final Vertx vertx;
    private final InstantSource clock;
    private final Queue<TokenFault> ordered = new ArrayDeque<>();
    private final Queue<Runnable> held = new ArrayDeque<>();
    private final Map<String, Instant> accessTokens = new HashMap<>();
    private final Set<String> secrets = new HashSet<>();
    private boolean paused;
    private long requests;
    private int underWay;
    private int mostUnderWay;

    public DrivenTokenEndpoint(
            Vertx vertx,
            TokenScript script,
            InstantSource clock,
            RandomGenerator random,
            Consumer<TokenEvent> listener) {
        super(vertx, script, clock, random, listener);
        this.vertx = vertx;
        this.clock = clock;
    }

    /** The same script with a refresh token being good once and not a second time. */
    public static TokenScript strict(TokenScript of) {
        return new TokenScript(
                of.appId(), of.appSecret(), of.lifetime(), of.codeLifetime(), true, of.slow(), of.faults(), 0);
    }

    /** The same script with some of these faults. */
    public static TokenScript faulty(TokenScript of, List<TokenFault> faults, double rate) {
        return new TokenScript(
                of.appId(), of.appSecret(), of.lifetime(), of.codeLifetime(), false, of.slow(), faults, rate);
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
        return clock.instant().isBefore(accessTokens.getOrDefault(accessToken, Instant.MIN));
    }

    /** Every code and token that was ever issued. */
    public synchronized Set<String> secrets() {
        return Set.copyOf(secrets);
    }

    @Override
    public synchronized String issueCode() {
        String code = super.issueCode();
        secrets.add(code);
        return code;
    }

    @Override
    void answer(HttpServerRequest request) {
        Context context = vertx.getOrCreateContext();
        AtomicBoolean over = new AtomicBoolean();
        request.response().endHandler(end -> done(over)).closeHandler(close -> done(over));
        synchronized (this) {
            requests++;
            underWay++;
            mostUnderWay = Math.max(mostUnderWay, underWay);
            if (paused) {
                held.add(() -> context.runOnContext(now -> super.answer(request)));
                return;
            }
        }
        super.answer(request);
    }

    private synchronized void done(AtomicBoolean over) {
        if (over.compareAndSet(false, true)) {
            underWay--;
        }
    }

    @Override
    synchronized TokenAnswer act(HttpServerRequest request, @Nullable TokenFault fault) {
        TokenAnswer answer = super.act(request, fault);
        JsonObject data = answer.data();
        if (data != null) {
            String accessToken = data.getString("access_token");
            accessTokens.put(accessToken, clock.instant().plusSeconds(data.getLong("expires_in")));
            secrets.addAll(Set.of(accessToken, data.getString("refresh_token")));
        }
        return answer;
    }

    @Override
    synchronized @Nullable TokenFault nextFault() {
        TokenFault next = ordered.poll();
        return next == null ? super.nextFault() : next;
    }
}
