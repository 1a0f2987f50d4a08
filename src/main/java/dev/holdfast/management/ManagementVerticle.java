package dev.holdfast.management;

import dev.holdfast.config.ManagementConfig;
import dev.holdfast.config.OwnAddress;
import dev.holdfast.config.TlsConfig;
import dev.holdfast.config.TlsIdentity;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The management port: {@code /livez} (the process answers), {@code /readyz} (pushes are welcome: every required {@link
 * Condition} holds, but for those that {@code ?exclude=NAME} names), {@code /metrics} (Prometheus text), and the API
 * below {@code /api/v1}. The API needs the configured bearer token, and so do the others unless they are configured as
 * public. Everything else is the console's files, which hold no data: see {@link ConsoleFiles}. All requests go through
 * the {@link SiteCheck}, except for public {@code /livez} and {@code /readyz}: probes know an address only.
 */
public final class ManagementVerticle extends VerticleBase {
    /** Path of the API, with its version. */
    static final String API = "/api/v1";

    private static final Set<String> HEALTH = Set.of("/livez", "/readyz");
    private static final String EXCLUDE = "exclude";
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    /** Limit for a connection with a request under way whose client is gone. */
    private static final int IDLE_SECONDS = 120;

    private static final int HANDSHAKE_SECONDS = 3;
    private static final long SWEEP_MILLIS = 1_000;

    private final ManagementConfig config;
    private final List<Condition> conditions;
    private final Supplier<List<String>> notices;
    private final PrometheusMeterRegistry registry;
    private final List<ApiPart> parts;
    /** Listens to the garbage collector; closed at the stop, or it would keep the stopped gateway in memory. */
    private final JvmGcMetrics collections = new JvmGcMetrics();

    private HttpServer server;

    /** @param notices what an operator should know of, a line each, asked on a worker thread */
    @SuppressWarnings("NullAway.Init") // the server is set in start(), which comes before everything else
    public ManagementVerticle(
            ManagementConfig config,
            List<Condition> conditions,
            Supplier<List<String>> notices,
            PrometheusMeterRegistry registry,
            List<ApiPart> parts) {
        this.config = config;
        this.parts = List.copyOf(parts);
        this.conditions = List.copyOf(conditions);
        this.notices = notices;
        this.registry = registry;
    }

    @Override
    public Future<?> start() {
        jvmMeters();
        // With TLS half of the connections are kept for handshakes: otherwise a few handshakes would drive each other
        // out, a probe's among them.
        int most = ManagementConfig.MOST_CONNECTIONS / (config.tls() == null ? 1 : 2);
        ManagementConnections connections = new ManagementConnections(most, System::nanoTime);
        vertx.setPeriodic(SWEEP_MILLIS, timer -> connections.sweep());
        server = vertx.createHttpServer(options())
                .connectionHandler(connections::opened)
                .invalidRequestHandler(UnroutedRequests::refuseUndecodable)
                .requestHandler(router(connections));
        return vertx.executeBlocking(() -> OwnAddress.of(config.host(), config.port()))
                .compose(address -> server.listen(SocketAddress.inetSocketAddress(address)));
    }

    private Router router(ManagementConnections connections) {
        Router router = Router.router(vertx);
        router.route().handler(connections::used);
        router.route().handler(new SiteCheck(config, HEALTH));
        BearerCheck bearer = new BearerCheck(config);
        if (!config.publicParts().contains(ManagementConfig.HEALTH)) {
            HEALTH.forEach(path -> router.route(path).handler(bearer));
        }
        if (!config.publicParts().contains(ManagementConfig.METRICS)) {
            router.route("/metrics").handler(bearer);
        }
        router.get("/livez")
                .method(HttpMethod.HEAD)
                .handler(ctx -> ctx.response().end("ok\n"));
        router.get("/readyz").method(HttpMethod.HEAD).handler(this::readiness);
        router.get("/metrics").method(HttpMethod.HEAD).handler(this::metrics);
        router.route("/api/*").handler(bearer);
        ApiRoutes api = new ApiRoutes(vertx);
        parts.forEach(part -> part.addTo(api));
        router.route(API + "/*").subRouter(api.router());
        new ConsoleFiles().addTo(router);
        // The body handler fails with 200 when chunks are malformed or the connection ends.
        List.of(200, 400)
                .forEach(status -> router.errorHandler(
                        status, ctx -> ApiAnswers.problem(ctx, 400, SiteCheck.unreadable(ctx.request()))));
        UnroutedRequests.answer(router, api.router());
        router.errorHandler(413, ctx -> ApiAnswers.problem(ctx, 413, ApiRoutes.TOO_LARGE));
        router.errorHandler(417, ctx -> ApiAnswers.problem(ctx, 417, "found another Expect, expected 100-continue"));
        router.errorHandler(500, ctx -> ApiAnswers.failed(ctx, ctx.failure()));
        return router;
    }

    private HttpServerOptions options() {
        HttpServerOptions options = new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                // No WebSocket here either: see the receiver's.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                // The port has few connections, so none is kept without use.
                .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
                .setIdleTimeout(IDLE_SECONDS)
                // Or a tap, which is written to all the time, would keep a place for 16 minutes.
                .setTcpUserTimeout(Math.toIntExact(TimeUnit.SECONDS.toMillis(IDLE_SECONDS)));
        TlsConfig tls = config.tls();
        return tls == null
                ? options
                : options.setSsl(true).setKeyCertOptions(tls.identity().pem());
    }

    /**
     * Shows another certificate on new connections; open ones keep theirs. Only with TLS. Fails if the certificate
     * can't be used; then the one before stays.
     */
    public Future<Void> show(TlsIdentity identity) {
        return server.updateSSLOptions(new ServerSSLOptions().setKeyCertOptions(identity.pem()), true)
                .mapEmpty();
    }

    private void jvmMeters() {
        new JvmMemoryMetrics().bindTo(registry);
        collections.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
    }

    @Override
    public Future<?> stop() {
        collections.close();
        parts.forEach(ApiPart::close);
        return Future.succeededFuture();
    }

    /** The port that is open. */
    public int port() {
        return server.actualPort();
    }

    private void readiness(RoutingContext ctx) {
        Set<String> excluded = excluded(ctx.queryParams());
        vertx.executeBlocking(() -> checked(excluded), false)
                .onComplete(
                        answer -> ApiAnswers.answer(ctx, answer.getBoolean("ready") ? 200 : 503, answer), ctx::fail);
    }

    private Set<String> excluded(MultiMap query) {
        List<String> names = conditions.stream().map(Condition::name).toList();
        query.forEach(field -> {
            if (!field.getKey().equals(EXCLUDE) || !names.contains(field.getValue())) {
                throw new IllegalArgumentException(
                        "found " + RequestValues.shown(field.getKey() + "=" + field.getValue()) + ", expected "
                                + EXCLUDE + "= with one of " + names);
            }
        });
        return Set.copyOf(query.getAll(EXCLUDE));
    }

    /** @param excluded conditions that needn't hold */
    private JsonObject checked(Set<String> excluded) {
        Condition.States states = Condition.States.of(conditions);
        return new JsonObject()
                .put("ready", excluded.containsAll(states.missing()))
                .put("conditions", states.holds())
                .put("notices", new JsonArray(notices.get()));
    }

    private void metrics(RoutingContext ctx) {
        vertx.executeBlocking(registry::scrape, false)
                .onComplete(
                        text -> ctx.response()
                                .putHeader(HttpHeaders.CONTENT_TYPE, PROMETHEUS_TEXT)
                                .end(text),
                        ctx::fail);
    }
}
