package dev.holdfast.token;

import dev.holdfast.Eventually;
import dev.holdfast.consumer.AccessToken;
import dev.holdfast.consumer.AccessTokens;
import dev.holdfast.simulator.DrivenTokenEndpoint;
import dev.holdfast.simulator.TokenEvent;
import dev.holdfast.simulator.TokenScript;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A real token verticle against the simulated service over HTTP, with time that a test drives. */
final class TokenLife implements AutoCloseable {
    /** On the transport of a gateway, which wakes its loops with far less than Java's. */
    final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));

    final TestTime time = new TestTime();
    final TokenSettings settings = new TokenSettings();
    final List<TokenEvent> events = new CopyOnWriteArrayList<>();
    final List<JsonObject> changes = new CopyOnWriteArrayList<>();
    final Random random;
    final DrivenTokenEndpoint service;
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Path directory;
    private @Nullable TokenVerticle verticle;
    private @Nullable String deployment;

    TokenLife(Path directory) {
        this(directory, TokenScript.healthy(TokenSettings.APP_ID, TokenSettings.APP_SECRET), 1);
    }

    TokenLife(Path directory, TokenScript script, long seed) {
        this.directory = directory;
        random = new Random(seed);
        AccessTokens.registerCodec(vertx);
        vertx.eventBus().<JsonObject>localConsumer(AccessTokens.CHANGED, message -> changes.add(message.body()));
        service = new DrivenTokenEndpoint(vertx, script, time.service(), new Random(seed + 1), events::add);
        settings.at(service.listen(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .await());
    }

    /** A life with a token, got by a code. */
    static TokenLife begun(Path directory) {
        return new TokenLife(directory).withCode().start().settle();
    }

    TokenLife withCode() {
        settings.code(service.issueCode());
        return this;
    }

    TokenLife start() {
        registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        verticle = new TokenVerticle(settings.config(), directory, registry, any -> time, random);
        deployment = vertx.deployVerticle(verticle).await();
        return this;
    }

    TokenLife stop() {
        stopping().await();
        return this;
    }

    /** Begins to stop. */
    Future<Void> stopping() {
        String running = deployment;
        deployment = null;
        return running == null ? Future.succeededFuture() : vertx.undeploy(running);
    }

    /** As after a crash: nothing of the running one has a say any more. */
    TokenLife restart() {
        return stop().start();
    }

    TokenVerticle verticle() {
        return Objects.requireNonNull(verticle, "not started");
    }

    JsonObject status() {
        return verticle().status().await();
    }

    String state() {
        return status().getString("state");
    }

    Future<AccessToken> asking() {
        return new AccessTokens(vertx).current();
    }

    AccessToken current() {
        return asking().await();
    }

    /** What another process would find. */
    TokenPair storedPair() {
        PersistedToken kept = Objects.requireNonNull(new TokenStore(directory, null).load(), "nothing is stored");
        return Objects.requireNonNull(kept.pair(), "no pair is stored");
    }

    JsonObject lastFailure() {
        return status().getJsonObject("lastFailure", new JsonObject());
    }

    /** Waits until nothing is on its way. */
    TokenLife settle() {
        Eventually.until(() -> {
            JsonObject status = status();
            return !status.getString("state").equals("starting") && !status.getBoolean("requestUnderWay");
        });
        return this;
    }

    /** Lets time pass in steps, so that everything happens at its time. */
    TokenLife pass(Duration duration) {
        Duration left = duration;
        while (!left.isZero()) {
            settle();
            Duration next = time.untilNext();
            Duration step = next.isZero() || next.compareTo(left) > 0 ? left : next;
            time.pass(step);
            left = left.minus(step);
        }
        return settle();
    }

    @Override
    public void close() {
        service.resume();
        vertx.close().await();
    }
}
