package dev.holdfast;

import dev.holdfast.build.BuildInfo;
import dev.holdfast.cli.RunningGateway;
import dev.holdfast.config.ConfigListener;
import dev.holdfast.config.EffectiveConfig;
import dev.holdfast.config.HeapPlan;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.consumer.AccessTokens;
import dev.holdfast.delivery.Delivery;
import dev.holdfast.delivery.LiveListeners;
import dev.holdfast.logging.Counted;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.token.TokenVerticle;
import dev.holdfast.tracing.PushTracer;
import dev.holdfast.tracing.Tracing;
import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway: starts every part in order and stops them in the reverse one.
 */
public final class Gateway implements RunningGateway {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    /** How long the port waits for consumers: no push is accepted until then, and what is wrong with one is told best before. */
    private static final Duration CONSUMER_START = Duration.ofSeconds(1);

    private static final int HOSTS_REFRESH_SECONDS = 5;

    private final HoldfastConfig config;
    private final Wiring wired;
    private final Upkeep upkeep;
    private final CountDownLatch startOver = new CountDownLatch(1);
    private boolean stopped;

    private Gateway(Wiring wired) {
        this.wired = wired;
        this.config = wired.config;
        this.upkeep = new Upkeep(wired);
    }

    /**
     * Starts a gateway and waits until it accepts pushes.
     *
     * @throws IllegalStateException when it can't, saying which part failed why; everything is stopped again then
     */
    public static Gateway start(HoldfastConfig config, PushWatcher watcher, Consumer<Runnable> opening) {
        return start(config, watcher, Storage::open, System.getenv(), opening);
    }

    /** With another storage, or traced as another environment than the process's asks: the seam for tests. */
    public static Gateway start(
            HoldfastConfig config,
            PushWatcher watcher,
            Storage.Opener opener,
            Map<String, String> environment,
            Consumer<Runnable> opening) {
        LOG.info("holdfast {}", BuildInfo.ofProcess());
        LOG.info("configuration:\n  {}", EffectiveConfig.render(config).replace("\n", "\n  "));
        HeapPlan.ofProcess().complaint(config).ifPresent(complaint -> {
            throw new IllegalStateException(complaint);
        });
        Gateway gateway = make(config, watcher, opener, Tracing.of(environment));
        gateway.run(opening);
        return gateway;
    }

    private void run(Consumer<Runnable> opening) {
        try {
            boot(opening).await();
            accepting();
        } catch (Throwable e) {
            // Checked ones as well: await() throws whatever a future failed with.
            stop(e);
            throw e;
        } finally {
            startOver.countDown();
        }
    }

    private void stop(Throwable startFailure) {
        try {
            stop();
        } catch (RuntimeException e) {
            startFailure.addSuppressed(e);
        }
    }

    /** Whoever stops while the port opens waits until there is all to drain, though not for a start that hangs. */
    private void stopStarted() {
        try {
            if (!startOver.await(config.receiver().drainTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.error("the start hangs, and is stopped where it is");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stop();
    }

    private static Gateway make(HoldfastConfig config, PushWatcher watcher, Storage.Opener opener, PushTracer tracer) {
        LiveListeners listeners = new LiveListeners();
        CompletableFuture<Vertx> making = CompletableFuture.supplyAsync(() -> makeVertx(listeners));
        try {
            return new Gateway(new Wiring(config, watcher, opener, making, listeners, tracer));
        } catch (RuntimeException e) {
            tracer.close();
            // What is still being made when the process ends complains of that, behind what the operator is told.
            making.thenAccept(Vertx::close).exceptionally(alsoFailed -> null).join();
            throw e;
        }
    }

    private static Vertx makeVertx(LiveListeners listeners) {
        VertxOptions options = vertxOptions();
        try {
            return listeners.vertx(options);
        } catch (IllegalStateException e) {
            LOG.warn(
                    "no temporary directory, so that consumers can't read files on their class path through Vert.x: {}",
                    e.getMessage());
            options.getFileSystemOptions().setClassPathResolvingEnabled(false);
            return listeners.vertx(options);
        }
    }

    /** Vert.x would read the system's hosts file once, and go on connecting to where a name was then. */
    static VertxOptions vertxOptions() {
        return new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors())
                .setAddressResolverOptions(new AddressResolverOptions()
                        .setHostsRefreshPeriod(HOSTS_REFRESH_SECONDS)
                        .setHostsRefreshPeriodUnit(TimeUnit.SECONDS));
    }

    private Future<Void> boot(Consumer<Runnable> opening) {
        Delivery.registerCodecs(wired.vertx);
        AccessTokens.registerCodec(wired.vertx);
        return wired.delivery
                .start(wired.vertx.getOrCreateContext())
                .compose(v -> startToken())
                .compose(v -> wired.consumers.apply(config.consumers(), CONSUMER_START))
                .map(v -> {
                    wired.delivery.consumers().complete();
                    return null;
                })
                .compose(v -> wired.vertx
                        .deployVerticle(wired.management)
                        .recover(e -> Edge.cannotListen(
                                "management",
                                config.management().host(),
                                config.management().port(),
                                e)))
                .compose(id -> {
                    opening.accept(this::stopStarted);
                    return wired.edge.open(wired.management.port());
                });
    }

    /** Receiving never depends on the token: without one the gateway runs all the same. */
    private Future<Void> startToken() {
        TokenVerticle token = wired.token;
        if (token == null) {
            return Future.succeededFuture();
        }
        return wired.vertx.deployVerticle(token).<Void>mapEmpty().otherwise(e -> {
            LOG.error(
                    "the access token's part can't be started, and there is no token until a restart: {}",
                    e.toString());
            return null;
        });
    }

    /** By whoever waited for the start: a listener of its future might come after them. */
    private void accepting() {
        wired.readiness.accept();
        wired.store.ledger().started(wired.ranBefore);
        wired.ladder.start();
        upkeep.start();
        LOG.info(
                "accepting pushes on {}, management on {}, {} up to {} in the journal",
                NetUtil.toSocketAddressString(config.receiver().host(), port()),
                NetUtil.toSocketAddressString(config.management().host(), managementPort()),
                Counted.of(wired.journal.lastSeq() - wired.journal.firstSeq() + 1, "push"),
                wired.journal.lastSeq());
    }

    @Override
    public int port() {
        return wired.receiver.port();
    }

    @Override
    public int managementPort() {
        return wired.management.port();
    }

    /** The Vert.x that everything runs on: its event bus carries every push. */
    public Vertx vertx() {
        return wired.vertx;
    }

    @Override
    public ConfigListener reload() {
        return wired.reload;
    }

    /** Drains and stops everything, see {@link StopSequence}: once, whoever asks how often. */
    @Override
    public synchronized void stop() {
        if (!stopped) {
            stopped = true;
            new StopSequence(wired, upkeep).run();
        }
    }
}
