package dev.holdfast;

import dev.holdfast.cli.RunningGateway;
import dev.holdfast.config.EffectiveConfig;
import dev.holdfast.config.EndpointConfig;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.consumer.Consumers;
import dev.holdfast.delivery.Delivery;
import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.DeadLetterFilter;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.PushFilter;
import dev.holdfast.journal.Replay;
import dev.holdfast.journal.Retention;
import dev.holdfast.journal.RocksJournal;
import dev.holdfast.management.Condition;
import dev.holdfast.management.ConsumerApi;
import dev.holdfast.management.DeadLetterApi;
import dev.holdfast.management.DeadLetterControl;
import dev.holdfast.management.ManagementVerticle;
import dev.holdfast.management.PushApi;
import dev.holdfast.management.PushControl;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.receiver.Endpoint;
import dev.holdfast.receiver.Receiver;
import dev.holdfast.signature.LiveSecrets;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway: wires every part, starts them in order and stops them in the reverse one. The only class that knows them
 * all.
 */
public final class Gateway implements RunningGateway {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    private static final long RETENTION_MILLIS = TimeUnit.MINUTES.toMillis(1);

    /** Opens the journal in a directory. */
    interface JournalOpener {
        Journal open(Path directory, MeterRegistry registry);
    }

    private final HoldfastConfig config;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Journal journal;
    private final Vertx vertx;
    private final Map<String, LiveSecrets> secrets;
    private final Delivery delivery;
    private final RunningConsumers consumers;
    private final ManagementVerticle management;
    private final Receiver receiver;
    private volatile boolean accepting;
    private volatile boolean draining;
    private boolean stopped;

    /** Makes all parts; opens the journal, and nothing else yet. Blocks. */
    private Gateway(HoldfastConfig config, PushWatcher watcher, JournalOpener opener) throws IOException {
        this.config = config;
        Consumers plugins = new Consumers(config.plugins());
        journal = opener.open(config.journal().directory(), registry);
        vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors()));
        secrets = config.receiver().endpoints().stream()
                .collect(Collectors.toMap(EndpointConfig::name, endpoint -> new LiveSecrets(endpoint.secrets())));
        BusinessData businessData = new BusinessData(config.platform().clientField());
        delivery = new Delivery(journal, registry, businessData, watcher);
        consumers = new RunningConsumers(vertx, delivery, plugins, config.platform());
        management = new ManagementVerticle(
                config.management(),
                conditions(),
                registry,
                List.of(new DeadLetterApi(deadLetters()), new PushApi(pushes()), new ConsumerApi(delivery::consumers)));
        receiver = new Receiver(vertx, config.receiver(), endpoints(), journal, registry, Clock.systemUTC());
        jvmMeters();
    }

    @SuppressWarnings("resource") // lives as long as the process
    private void jvmMeters() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmGcMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
    }

    /**
     * Starts a gateway and waits until it accepts pushes.
     *
     * @throws IllegalStateException when it can't, saying which part failed why; everything is stopped again then
     */
    public static Gateway start(HoldfastConfig config, PushWatcher watcher) {
        return start(config, watcher, RocksJournal::open);
    }

    /** With another journal: the seam for tests. */
    static Gateway start(HoldfastConfig config, PushWatcher watcher, JournalOpener opener) {
        LOG.info("configuration: {}", EffectiveConfig.render(config));
        try {
            Gateway gateway = new Gateway(config, watcher, opener);
            try {
                gateway.boot().await();
            } catch (RuntimeException e) {
                gateway.stop();
                throw e;
            }
            return gateway;
        } catch (IOException e) {
            throw new IllegalStateException("plugins: " + config.plugins() + " can't be read: " + e, e);
        }
    }

    private Future<Void> boot() {
        Delivery.registerCodecs(vertx);
        return vertx.deployVerticle(delivery)
                .compose(id -> consumers.apply(config.consumers()))
                .compose(v -> vertx.deployVerticle(management)
                        .recover(e -> cannotListen(
                                "management",
                                config.management().host(),
                                config.management().port(),
                                e)))
                .compose(id -> receiver.start()
                        .recover(e -> cannotListen(
                                "receiver",
                                config.receiver().host(),
                                config.receiver().port(),
                                e)))
                .onSuccess(v -> accepting());
    }

    private void accepting() {
        accepting = true;
        Retention retention = new Retention(journal, config.journal(), delivery::neededFrom, Clock.systemUTC());
        vertx.setPeriodic(
                RETENTION_MILLIS,
                timer -> vertx.executeBlocking(() -> {
                    retention.run();
                    return null;
                }));
        LOG.info(
                "accepting pushes on {}:{}, management on {}:{}, {} pushes up to {} in the journal",
                config.receiver().host(),
                port(),
                config.management().host(),
                managementPort(),
                journal.lastSeq() - journal.firstSeq() + 1,
                journal.lastSeq());
    }

    @Override
    public int port() {
        return receiver.port();
    }

    @Override
    public int managementPort() {
        return management.port();
    }

    /** The Vert.x that everything runs on: its event bus carries every push. */
    public Vertx vertx() {
        return vertx;
    }

    @Override
    public void reconfigure(HoldfastConfig wanted) {
        for (EndpointConfig endpoint : wanted.receiver().endpoints()) {
            LiveSecrets live = secrets.get(endpoint.name());
            if (live != null) {
                live.replace(endpoint.secrets());
            }
        }
        try {
            consumers.apply(wanted.consumers()).await();
            LOG.info("secrets and consumers are as configured now; other changes need a restart");
        } catch (RuntimeException e) {
            LOG.error("the changed consumers can't be started: {}", e.getMessage());
        }
    }

    /**
     * Stops: not ready any more; pushes still accepted for the drain delay; the port; the deliveries under way; the
     * consumers; the journal last. What fails on the way is logged and keeps nothing from being stopped.
     */
    @Override
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        LOG.info(
                "stopping: pushes are accepted for another {} ms",
                config.receiver().drainDelay().toMillis());
        boolean wasAccepting = accepting;
        draining = true;
        receiver.drain();
        Future<Void> drained = wasAccepting ? delay(config.receiver().drainDelay()) : Future.succeededFuture();
        drained.compose(v -> receiver.stop())
                .eventually(delivery::finish)
                .onFailure(failure -> LOG.error("not everything stopped in good order: {}", failure.getMessage()))
                .otherwiseEmpty()
                .await();
        // By itself: a future that belongs to a context never completes once the context's event loop is gone.
        vertx.close().await();
        journal.close();
        LOG.info("stopped, journal closed after push {}", journal.lastSeq());
    }

    private Future<Void> delay(Duration delay) {
        return delay.isZero()
                ? Future.succeededFuture()
                : vertx.timer(delay.toMillis(), TimeUnit.MILLISECONDS).mapEmpty();
    }

    private List<Endpoint> endpoints() {
        return config.receiver().endpoints().stream()
                .map(endpoint -> new Endpoint(
                        endpoint.name(),
                        endpoint.path(),
                        endpoint.signatureHeader(),
                        Objects.requireNonNull(secrets.get(endpoint.name()))))
                .toList();
    }

    private List<Condition> conditions() {
        return List.of(
                new Condition("storage", journal::writable),
                new Condition("space", this::hasSpace),
                new Condition("accepting", () -> accepting && !draining));
    }

    private DeadLetterControl deadLetters() {
        return new DeadLetterControl() {
            @Override
            public Future<List<DeadLetter>> list(DeadLetterFilter filter, String consumer, long seq, int max) {
                return delivery.deadLetters(filter, consumer, seq, max);
            }

            @Override
            public Future<Long> retry(DeadLetterFilter filter) {
                return delivery.retryDeadLetters(filter);
            }

            @Override
            public Future<Long> discard(DeadLetterFilter filter, String reason) {
                return delivery.discardDeadLetters(filter, reason);
            }
        };
    }

    private PushControl pushes() {
        return new PushControl() {
            @Override
            public Future<List<PushRecord>> list(PushFilter filter, int max) {
                return delivery.pushes(filter, max);
            }

            @Override
            public Future<Long> count(PushFilter filter) {
                return delivery.countPushes(filter);
            }

            @Override
            public Future<Replay> replay(PushFilter filter, @Nullable String consumer, int rate) {
                return delivery.replay(filter, consumer, rate);
            }

            @Override
            public List<Replay> replays() {
                return delivery.replays();
            }

            @Override
            public Future<Boolean> stopReplay(String id) {
                return delivery.stopReplay(id);
            }
        };
    }

    private boolean hasSpace() {
        return config.journal().directory().toFile().getUsableSpace()
                >= config.journal().reserve();
    }

    private static <T> Future<T> cannotListen(String part, String host, int port, Throwable cause) {
        return Future.failedFuture(new IllegalStateException(
                part + ": can't listen on " + host + ":" + port + ": " + cause.getMessage(), cause));
    }
}
