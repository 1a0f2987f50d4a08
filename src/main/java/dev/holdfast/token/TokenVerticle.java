package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import dev.holdfast.consumer.AccessTokens;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The access token's verticle: answers requests to {@link AccessTokens#CURRENT}, publishes to {@link
 * AccessTokens#CHANGED}, and gives the management API its state and the exchange of a code. Public methods may be
 * called from any thread once it is deployed. Its start doesn't wait for the service; its stop waits for the request
 * under way.
 */
public final class TokenVerticle extends VerticleBase {
    private static final int UNAVAILABLE = 503;
    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);

    private final TokenConfig config;
    private final Path directory;
    private final MeterRegistry registry;
    private final Function<Vertx, Timing> time;
    private final RandomGenerator random;
    private Timing timing;
    private TokenRenewer renewer;

    /** @param directory where the token is kept; need not exist */
    public TokenVerticle(TokenConfig config, Path directory, MeterRegistry registry) {
        this(config, directory, registry, vertx -> new VertxTiming(vertx, Clock.systemUTC()), new SecureRandom());
    }

    @SuppressWarnings("NullAway.Init") // the rest is set in start(), which comes before everything else
    TokenVerticle(
            TokenConfig config,
            Path directory,
            MeterRegistry registry,
            Function<Vertx, Timing> time,
            RandomGenerator random) {
        this.config = config;
        this.directory = directory;
        this.registry = registry;
        this.time = time;
        this.random = random;
    }

    @Override
    public Future<?> start() {
        timing = time.apply(vertx);
        TokenWatch watch = new TokenWatch(vertx.eventBus(), registry, timing);
        renewer = new TokenRenewer(
                config,
                new TokenClient(vertx, config),
                new TokenMemory(vertx, config, new TokenStore(directory, config.key())),
                timing,
                new RenewalSchedule(config, random, timing),
                watch);
        vertx.eventBus().localConsumer(AccessTokens.CURRENT, this::answer);
        renewer.start();
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        return renewer.stop();
    }

    /** Makes no further request; succeeds when the one on its way is answered and its token kept. From any thread. */
    public Future<Void> end() {
        return renewer == null ? Future.succeededFuture() : onContext(renewer::stop);
    }

    /** State, scope, expiry and last failure, never a value: what {@code GET /api/v1/token} answers. */
    public Future<JsonObject> status() {
        return onContext(() -> Future.succeededFuture(renewer.status().json(timing.wall())));
    }

    /**
     * Exchanges an authorization code now, waiting a few seconds when another request was just made.
     *
     * @return the status, with {@code exchanged} true or false; false comes with a {@code failure}
     */
    public Future<JsonObject> exchange(String code) {
        return onContext(() -> renewer.exchange(code)
                .map(done -> renewer.status().json(timing.wall()).put("exchanged", true))
                .recover(failure -> Future.succeededFuture(renewer.status()
                        .json(timing.wall())
                        .put("exchanged", false)
                        .put("failure", failure.getMessage()))));
    }

    private void answer(Message<Object> message) {
        renewer.current()
                .onComplete(
                        token -> message.reply(token, LOCAL), state -> message.fail(UNAVAILABLE, state.getMessage()));
    }

    /**
     * Runs an action on the context. An exception becomes a failure: if the verticle could not start there is no
     * renewer.
     */
    private <T> Future<T> onContext(Supplier<Future<T>> action) {
        return Future.future(done -> context.runOnContext(
                v -> Future.succeededFuture().compose(now -> action.get()).onComplete(done)));
    }
}
