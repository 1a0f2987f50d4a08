package dev.holdfast;

import dev.holdfast.cli.RunningGateway;
import dev.holdfast.config.EffectiveConfig;
import dev.holdfast.config.HeapPlan;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.consumer.AccessTokens;
import dev.holdfast.delivery.Delivery;
import dev.holdfast.disk.Descriptors;
import dev.holdfast.journal.DiskLadder;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.LogJournal;
import dev.holdfast.journal.PushSearch;
import dev.holdfast.journal.Retention;
import dev.holdfast.journal.StorageStart;
import dev.holdfast.management.ApiPart;
import dev.holdfast.management.ConsumerApi;
import dev.holdfast.management.DeadLetterApi;
import dev.holdfast.management.LedgerApi;
import dev.holdfast.management.ManagementVerticle;
import dev.holdfast.management.PushApi;
import dev.holdfast.management.QuarantineApi;
import dev.holdfast.management.Readiness;
import dev.holdfast.management.TokenApi;
import dev.holdfast.management.TokenControl;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.receiver.ConnectionLimit;
import dev.holdfast.receiver.ConnectionPlan;
import dev.holdfast.receiver.Endpoints;
import dev.holdfast.receiver.Receiver;
import dev.holdfast.receiver.ReceiverVerticle;
import dev.holdfast.receiver.Reverification;
import dev.holdfast.store.FileQuarantine;
import dev.holdfast.store.Quarantine;
import dev.holdfast.store.RocksStore;
import dev.holdfast.store.Store;
import dev.holdfast.supervision.ConsumerVerticles;
import dev.holdfast.supervision.Consumers;
import dev.holdfast.supervision.RunningConsumers;
import dev.holdfast.supervision.Watchdog;
import dev.holdfast.token.TokenVerticle;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    private static final long LEDGER_MILLIS = 1_000;

    /** Opens what is durable. */
    public interface StorageOpener {
        Storage open(HoldfastConfig config, MeterRegistry registry);
    }

    /** What is durable. */
    public record Storage(Journal journal, Store store) {}

    private final HoldfastConfig config;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Journal journal;
    private final Store store;
    private final Quarantine quarantine;
    /** Whether there were pushes in the journal as it was opened. */
    private final boolean ranBefore;

    private final Vertx vertx;
    private final Endpoints endpoints;
    private final Readiness readiness;
    private final Delivery delivery;
    private final DiskLadder ladder;
    private final RunningConsumers consumers;
    private final @Nullable TokenVerticle token;
    private final ManagementVerticle management;
    private final Receiver receiver;
    /** The deployment that has the port; empty: it is not open. */
    private volatile String edge = "";

    private volatile long retentionTimer;
    private final List<AutoCloseable> guards = new CopyOnWriteArrayList<>();
    /** Listens to the garbage collector, which would keep a gateway that has stopped. */
    private final JvmGcMetrics collections = new JvmGcMetrics();

    private boolean stopped;

    /** Makes all parts; opens the journal, and nothing else yet. Blocks. */
    private Gateway(HoldfastConfig config, PushWatcher watcher, StorageOpener opener) throws IOException {
        this.config = config;
        Consumers plugins = new Consumers(config.plugins());
        Storage storage =
                StorageStart.open(() -> opener.open(config, registry), () -> DiskLadder.makeRoom(config.journal()));
        journal = storage.journal();
        store = storage.store();
        quarantine = FileQuarantine.open(
                config.journal().directory(),
                config.quarantine(),
                config.journal().reserve(),
                registry);
        ranBefore = journal.lastSeq() > 0;
        vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors()));
        vertx.exceptionHandler(Watchdog::uncaught);
        endpoints = new Endpoints(config.receiver().endpoints());
        BusinessData businessData = new BusinessData(config.platform().clientField());
        delivery = new Delivery(
                journal,
                store,
                registry,
                businessData,
                watcher,
                config.receiver().drainTimeout());
        ladder = new DiskLadder(journal, config.journal(), delivery, registry, Clock.systemUTC());
        readiness = new Readiness(journal, store, ladder::hasSpace);
        consumers = new RunningConsumers(vertx, delivery, new ConsumerVerticles(vertx, plugins, config), registry);
        token = config.token() == null
                ? null
                : new TokenVerticle(config.token(), config.journal().directory().resolve("token"), registry);
        receiver = new Receiver(
                config.receiver(),
                endpoints.all(),
                journal,
                quarantine,
                registry,
                Clock.systemUTC(),
                config.journal().syncTimeout(),
                store.ledger()::count);
        management = new ManagementVerticle(
                config.management(), readiness.conditions(receiver::hasRoom), this::notices, registry, api());
        jvmMeters();
    }

    /** What an operator should know of. */
    private List<String> notices() {
        List<String> notices = readiness.notices();
        if (!ladder.notice().isEmpty()) {
            notices.add(ladder.notice());
        }
        if (!quarantine.notice().isEmpty()) {
            notices.add(quarantine.notice());
        }
        notices.addAll(receiver.notices());
        return notices;
    }

    private void jvmMeters() {
        new JvmMemoryMetrics().bindTo(registry);
        collections.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
    }

    /**
     * Starts a gateway and waits until it accepts pushes.
     *
     * @throws IllegalStateException when it can't, saying which part failed why; everything is stopped again then
     */
    public static Gateway start(HoldfastConfig config, PushWatcher watcher) {
        return start(config, watcher, Gateway::openStorage);
    }

    public static Storage openStorage(HoldfastConfig config, MeterRegistry registry) {
        Path directory = config.journal().directory();
        RocksStore store = RocksStore.open(directory, registry, config.deadLetters());
        try {
            LogJournal journal = LogJournal.open(directory, config.journal().maxSize(), store, registry);
            StorageStart.awaitWritable(journal, () -> DiskLadder.makeRoom(config.journal()));
            return new Storage(journal, store);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** With another storage: the seam for tests. */
    public static Gateway start(HoldfastConfig config, PushWatcher watcher, StorageOpener opener) {
        LOG.info("configuration: {}", EffectiveConfig.render(config).strip().replace("\n", ", "));
        HeapPlan.ofProcess().complaint(config).ifPresent(complaint -> {
            throw new IllegalStateException(complaint);
        });
        Gateway gateway = make(config, watcher, opener);
        try {
            gateway.boot().await();
            gateway.accepting();
        } catch (Throwable e) {
            // Checked ones as well: await() throws whatever a future failed with.
            gateway.stop();
            throw e;
        }
        return gateway;
    }

    private static Gateway make(HoldfastConfig config, PushWatcher watcher, StorageOpener opener) {
        try {
            return new Gateway(config, watcher, opener);
        } catch (IOException e) {
            throw new IllegalStateException("plugins: " + config.plugins() + " can't be read: " + e, e);
        }
    }

    private Future<Void> boot() {
        Delivery.registerCodecs(vertx);
        AccessTokens.registerCodec(vertx);
        return vertx.deployVerticle(delivery)
                .compose(id -> startToken())
                .compose(v -> consumers.apply(config.consumers()))
                .map(v -> {
                    delivery.subscriptions().complete();
                    return null;
                })
                .compose(v -> vertx.deployVerticle(management)
                        .recover(e -> cannotListen(
                                "management",
                                config.management().host(),
                                config.management().port(),
                                e)))
                .compose(id -> openPort());
    }

    /** The last step, when all else that takes descriptors and memory has them. */
    private Future<Void> openPort() {
        ConnectionPlan plan = ConnectionPlan.of(
                Descriptors.ofProcess(),
                HeapPlan.ofProcess(),
                config.consumers().size());
        guards.add(ConnectionLimit.on(management.port(), ConnectionPlan.MANAGEMENT, registry));
        return ReceiverVerticle.deploy(vertx, receiver)
                .recover(e -> cannotListen(
                        "receiver", config.receiver().host(), config.receiver().port(), e))
                .map(deployment -> {
                    edge = deployment;
                    guard(plan);
                    return null;
                });
    }

    private void guard(ConnectionPlan plan) {
        LOG.info("at most {} connections: {}", plan.most(), plan.reason());
        ConnectionLimit limit = ConnectionLimit.on(receiver.port(), plan.most(), registry);
        receiver.limit(limit);
        guards.add(limit);
        List<Executor> loops = new ArrayList<>();
        receiver.loops().forEach(loop -> loops.add(task -> loop.runOnContext(v -> task.run())));
        loops.add(limit::onAcceptor);
        guards.add(Watchdog.over(loops, receiver.shortage()::lasts));
    }

    /** Receiving never depends on the token: without one the gateway runs all the same. */
    private Future<Void> startToken() {
        if (token == null) {
            return Future.succeededFuture();
        }
        return vertx.deployVerticle(token).<Void>mapEmpty().otherwise(e -> {
            LOG.error("the access token can't be looked after: {}", e.toString());
            return null;
        });
    }

    private List<ApiPart> api() {
        LiveDelivery control = new LiveDelivery(delivery);
        return List.of(
                new TokenApi(token == null ? null : new TokenControl(token::status, token::exchange)),
                new DeadLetterApi(store.deadLetters(), control),
                new QuarantineApi(new LiveQuarantine(
                        vertx,
                        quarantine,
                        new Reverification(endpoints.all(), journal, quarantine, Clock.systemUTC()))),
                new PushApi(new PushSearch(journal), control),
                new ConsumerApi(() -> delivery.subscriptions().states(), consumers::away),
                new LedgerApi(store.ledger()));
    }

    /** By whoever waited for the start: a listener of its future might come after them. */
    private void accepting() {
        readiness.accept();
        store.ledger().started(ranBefore);
        vertx.setPeriodic(LEDGER_MILLIS, timer -> store.ledger().write());
        ladder.start();
        guards.add(ladder);
        Retention retention = new Retention(journal, config.journal(), delivery::neededFrom, Clock.systemUTC());
        retentionTimer = vertx.setPeriodic(
                RETENTION_MILLIS,
                timer -> vertx.executeBlocking(() -> {
                    retention.run();
                    store.deadLetters().expire();
                    quarantine.expire();
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
    public synchronized void reconfigure(HoldfastConfig wanted) {
        if (stopped) {
            return;
        }
        endpoints.replaceSecrets(wanted.receiver().endpoints());
        receiver.secretsChanged();
        try {
            consumers.apply(wanted.consumers()).await();
            Set<String> later = EffectiveConfig.changedForTheNextStart(config, wanted);
            LOG.info(
                    "secrets and consumers are as configured now{}",
                    later.isEmpty() ? "" : "; what else differs needs a restart: " + later);
        } catch (IllegalArgumentException e) {
            LOG.error("the changed consumers are refused and stay as they were: {}", e.getMessage());
        } catch (Exception e) {
            // Checked ones as well: await() throws whatever a future failed with.
            LOG.error("not all changed consumers are in force: {}", e.getMessage());
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
        guards.forEach(Gateway::close);
        vertx.cancelTimer(retentionTimer);
        Duration drainDelay = readiness.drain() ? config.receiver().drainDelay() : Duration.ZERO;
        LOG.info("stopping: pushes are accepted for another {} ms", drainDelay.toMillis());
        receiver.drain();
        delay(drainDelay)
                .compose(v -> edge.isEmpty() ? Future.succeededFuture() : vertx.undeploy(edge))
                .andThen((v, failure) -> store.ledger().closed())
                .eventually(delivery::finish)
                .otherwise(failure -> {
                    LOG.error("not everything stopped in good order: {}", failure.getMessage());
                    return null;
                })
                .await();
        closeVertx();
        collections.close();
        quarantine.close();
        journal.close();
        store.ledger().stopped();
        store.close();
        LOG.info("stopped, journal closed after push {}", journal.lastSeq());
    }

    private static void close(AutoCloseable guard) {
        try {
            guard.close();
        } catch (Exception e) {
            LOG.error("not everything stopped in good order: {}", e.toString());
        }
    }

    /** Not for ever: a consumer that blocks its thread keeps Vert.x from closing, but not the journal. */
    private void closeVertx() {
        try {
            // By itself: a future that belongs to a context never completes once the context's event loop is gone.
            vertx.close().await(config.receiver().drainTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.error(
                    "a consumer still runs after {} ms, and is left behind",
                    config.receiver().drainTimeout().toMillis());
        }
    }

    private Future<Void> delay(Duration delay) {
        return delay.isZero()
                ? Future.succeededFuture()
                : vertx.timer(delay.toMillis(), TimeUnit.MILLISECONDS).mapEmpty();
    }

    private static <T> Future<T> cannotListen(String part, String host, int port, Throwable cause) {
        return Future.failedFuture(new IllegalStateException(
                part + ": can't listen on " + host + ":" + port + ": " + cause.getMessage(), cause));
    }
}
