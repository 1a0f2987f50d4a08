package dev.holdfast;

import dev.holdfast.config.EffectiveConfig;
import dev.holdfast.config.EndpointConfig;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.delivery.Delivery;
import dev.holdfast.delivery.LiveListeners;
import dev.holdfast.journal.DiskLadder;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.PushPages;
import dev.holdfast.journal.StorageStart;
import dev.holdfast.management.ApiPart;
import dev.holdfast.management.AuditTrail;
import dev.holdfast.management.Condition;
import dev.holdfast.management.ConsumerApi;
import dev.holdfast.management.DeadLetterApi;
import dev.holdfast.management.DiscardApi;
import dev.holdfast.management.EndpointState;
import dev.holdfast.management.GatewayApi;
import dev.holdfast.management.GatewayControl;
import dev.holdfast.management.GatewayMeters;
import dev.holdfast.management.LedgerApi;
import dev.holdfast.management.ManagementVerticle;
import dev.holdfast.management.OperatorNotices;
import dev.holdfast.management.PushApi;
import dev.holdfast.management.QuarantineApi;
import dev.holdfast.management.Readiness;
import dev.holdfast.management.ReplayApi;
import dev.holdfast.management.TapApi;
import dev.holdfast.management.TokenApi;
import dev.holdfast.management.TokenControl;
import dev.holdfast.management.TrafficControl;
import dev.holdfast.management.TrafficHistory;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.quarantine.Quarantine;
import dev.holdfast.receiver.Endpoint;
import dev.holdfast.receiver.Endpoints;
import dev.holdfast.receiver.Receiver;
import dev.holdfast.receiver.Reverification;
import dev.holdfast.store.Store;
import dev.holdfast.supervision.ConsumerVerticles;
import dev.holdfast.supervision.Consumers;
import dev.holdfast.supervision.RunningConsumers;
import dev.holdfast.supervision.Watchdog;
import dev.holdfast.token.TokenVerticle;
import dev.holdfast.tracing.PushTracer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A gateway's parts, each made with what it works with: who knows whom. Storage is open, all else yet to be started. */
final class Wiring {
    final HoldfastConfig config;
    final PushTracer tracer;
    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final Journal journal;
    /** Who watches pushes as they are accepted. */
    final TapApi tap = new TapApi();

    final Store store;
    final Quarantine quarantine;
    /** Where what operators change is noted. */
    final AuditTrail audit;
    /** Whether there were pushes in the journal as it was opened. */
    final boolean ranBefore;

    final Vertx vertx;
    final Endpoints endpoints;
    final Readiness readiness;
    final Delivery delivery;
    final DiskLadder ladder;
    final RunningConsumers consumers;
    final @Nullable TokenVerticle token;
    final Receiver receiver;
    final TrafficHistory history;
    final Reload reload;
    final ManagementVerticle management;
    final Edge edge;

    /** Blocks while storage is opened, beside which Vert.x is made. */
    Wiring(
            HoldfastConfig config,
            PushWatcher watcher,
            Storage.Opener opener,
            CompletableFuture<Vertx> making,
            LiveListeners listeners,
            PushTracer tracer) {
        this.config = config;
        this.tracer = tracer;
        Consumers plugins = plugins(config.plugins());
        Storage storage =
                StorageStart.open(() -> opener.open(config, registry), () -> DiskLadder.makeRoom(config.journal()));
        journal = storage.journal();
        store = storage.store();
        audit = new AuditTrail(store.audit(), Clock.systemUTC());
        journal.follow(tap);
        quarantine = Quarantine.open(
                config.journal().directory(),
                config.quarantine(),
                config.journal().reserve(),
                registry);
        ranBefore = journal.lastSeq() > 0;
        vertx = making.join();
        vertx.exceptionHandler(Watchdog::uncaught);
        endpoints = new Endpoints(config.receiver().endpoints());
        BusinessData businessData = new BusinessData(config.platform().clientField());
        delivery = new Delivery(
                journal,
                store,
                registry,
                businessData,
                watcher,
                tracer,
                listeners,
                config.receiver().drainTimeout());
        ladder = new DiskLadder(journal, config.journal(), delivery, registry, Clock.systemUTC());
        readiness = new Readiness(journal, store, ladder::hasSpace);
        consumers = new RunningConsumers(
                vertx, delivery, new ConsumerVerticles(vertx, plugins, config, endpoints.signatureHeaders()));
        token = config.token() == null
                ? null
                : new TokenVerticle(config.token(), config.journal().directory().resolve("token"), registry);
        receiver = new Receiver(
                config.receiver(),
                endpoints,
                journal,
                quarantine,
                registry,
                Clock.systemUTC(),
                config.journal().syncTimeout(),
                store.ledger()::count,
                tracer);
        bindMeters(conditions());
        history = new TrafficHistory(traffic(), Clock.systemUTC());
        management = new ManagementVerticle(config.management(), conditions(), notices()::all, registry, api());
        edge = new Edge(vertx, config, receiver, registry);
        reload = new Reload(config, consumers, receiver, management, edge, registry, Clock.systemUTC());
    }

    private void bindMeters(List<Condition> conditions) {
        GatewayMeters.bind(registry, conditions, notices()::all);
        GatewayMeters.bind(
                registry,
                "holdfast_receiver_acknowledgement_seconds",
                "From the end of a push's body to its 200",
                receiver.acknowledgements());
        GatewayMeters.bind(
                registry,
                "holdfast_event_loop_lag_seconds",
                "How late event loops come to what is due, ten times a second each",
                receiver.loopLag());
    }

    private TrafficControl traffic() {
        return new TrafficControl(
                () -> endpoints.all().stream()
                        .map(this::state)
                        .sorted(Comparator.comparing(EndpointState::name))
                        .toList(),
                receiver::traffic,
                receiver.acknowledgements(),
                ladder::state,
                // The delivery has none before it starts.
                delivery::lags,
                quarantine::count);
    }

    private EndpointState state(Endpoint endpoint) {
        return new EndpointState(
                endpoint.name(),
                endpoint.path(),
                endpoint.signatureHeader(),
                endpoint.secrets().count(),
                receiver.traffic(endpoint.name()));
    }

    /** What an operator should know of. */
    private OperatorNotices notices() {
        return new OperatorNotices(
                readiness::damage,
                readiness::closedStore,
                ladder::notice,
                () -> reload.notice(),
                () -> reload.certificates(),
                quarantine::notice,
                receiver::notices);
    }

    private static Consumers plugins(Path directory) {
        try {
            Consumers consumers = new Consumers(directory);
            consumers.warnOfUnreadable();
            return consumers;
        } catch (IOException e) {
            throw new IllegalStateException("plugins: " + directory + " can't be read: " + e, e);
        }
    }

    private List<Condition> conditions() {
        return readiness.conditions(receiver::hasRoom);
    }

    /** The routes of the management API. */
    List<ApiPart> api() {
        LiveDelivery control = new LiveDelivery(delivery);
        GatewayControl gateway = new GatewayControl(
                receiver::port,
                () -> management.port(),
                () -> EffectiveConfig.render(reload.inForce()),
                () -> reload.last());
        PushPages pages = new PushPages(journal);
        TokenControl tokens = token == null ? null : new TokenControl(token::status, token::exchange);
        ConsumerApi allConsumers = new ConsumerApi(control, consumers::away, audit);
        return List.of(
                new GatewayApi(
                        conditions(), notices(), journal, gateway, traffic(), history, allConsumers::entries, tokens),
                new TokenApi(tokens, audit),
                new DeadLetterApi(store.deadLetters(), control, audit),
                new DiscardApi(store.deadLetters()),
                new QuarantineApi(
                        quarantine,
                        new Reverification(
                                endpoints,
                                journal,
                                quarantine,
                                Clock.systemUTC(),
                                config.journal().syncTimeout())::run,
                        audit),
                tap,
                new PushApi(journal, pages, control, this::signature),
                new ReplayApi(journal, pages, control, audit),
                allConsumers,
                new LedgerApi(store.ledger()),
                audit);
    }

    /** How it stands with a push's signature now; where its endpoint is no longer configured, no secret is live. */
    private PushApi.Signature signature(PushRecord push) {
        Endpoint endpoint = endpoints.named(push.endpoint());
        return endpoint == null
                ? new PushApi.Signature(EndpointConfig.PUBLISHED_SIGNATURE_HEADER, false)
                : new PushApi.Signature(
                        endpoint.signatureHeader(),
                        endpoint.secrets().matches(push.body(), push.head().signature()));
    }
}
