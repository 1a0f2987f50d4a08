package dev.holdfast.receiver;

import dev.holdfast.config.EndpointConfig;
import dev.holdfast.config.HeapPlan;
import dev.holdfast.config.ReceiverConfig;
import dev.holdfast.config.TlsIdentity;
import dev.holdfast.journal.Journal;
import dev.holdfast.metrics.EndpointTraffic;
import dev.holdfast.metrics.LatencyHistogram;
import dev.holdfast.quarantine.Quarantine;
import dev.holdfast.tracing.PushTracer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the HTTP edge shares between its event loops, and what others may know of it. Any thread. */
public final class Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);
    /** Under which requests are counted whose path is no endpoint's. */
    private static final String NO_ENDPOINT = "";
    /** How long after a body was given up for want of room it is still told that there is none. */
    private static final long CROWDED_NANOS = 10_000_000_000L;

    final ReceiverConfig config;
    final Endpoints endpoints;
    private final BiConsumer<String, String> refusals;
    final Journal journal;
    final PushTracer tracer;
    final InstantSource clock;
    final InFlight inFlight;
    /**
     * The room for signed bodies of more than {@link BodyReader#SMALL_BODY} bytes; verified pushes that wait for the journal have
     * their own, {@link #inFlight}. Each body waits until there is room for its whole length, and is read then. One without a declared
     * length is read up to those bytes, then waits for room for the largest that may come. Smaller bodies take none: the memory of
     * their connection or stream is planned for them.
     */
    final Room large;
    /**
     * The room for bodies without a well-formed signature. One that finds none is refused unread, and so is one that is larger than a
     * network's share: a single large body would keep all others out of the quarantine.
     */
    final Holdings unsigned;

    final Streams streams;
    final ReceiverMeters meters;
    final RejectionLog rejections;
    final RefusedSignatures refusedSignatures;
    final Duration syncTimeout;
    private final LatencyHistogram acknowledgements = new LatencyHistogram();
    private final LatencyHistogram loopLag = new LatencyHistogram();
    private final MemoryShortage shortage;
    private final List<Context> loops = new CopyOnWriteArrayList<>();
    private volatile @Nullable ConnectionLimit limit;
    private volatile long crowdedAt;
    private volatile boolean draining;
    private volatile int port;
    /** Any of those that listen: they are one to the outside. */
    private volatile @Nullable HttpServer server;

    /**
     * @param quarantine keeps what was refused because its signature did not match
     * @param clock tells when a push was received
     * @param syncTimeout how long a push waits for the disk before it is refused
     * @param refusals counts each request that was refused or ended without an answer, by cause and endpoint; without a name where
     *     there is none at its path. By any thread; must neither block nor fail
     */
    public Receiver(
            ReceiverConfig config,
            Endpoints endpoints,
            Journal journal,
            Quarantine quarantine,
            MeterRegistry registry,
            InstantSource clock,
            Duration syncTimeout,
            BiConsumer<String, String> refusals,
            PushTracer tracer) {
        this.config = config;
        this.endpoints = endpoints;
        this.refusals = refusals;
        this.journal = journal;
        this.tracer = tracer;
        this.clock = clock;
        this.inFlight = new InFlight(config.maxInFlight() / 2);
        // Together with the unsigned ones less than the other half, unless max-body alone is more.
        this.large = new Room(Math.max(config.maxInFlight() / 8 * 3, config.maxBody()));
        this.unsigned = new Holdings(config.maxInFlight() / 16, config.maxInFlight() / 16 / 4);
        this.streams = new Streams(HeapPlan.ofProcess().streams());
        this.meters = new ReceiverMeters(registry, inFlight, large, unsigned, streams);
        meters.endpoint(NO_ENDPOINT);
        this.rejections = new RejectionLog(System::nanoTime);
        this.refusedSignatures = new RefusedSignatures(quarantine, clock);
        this.syncTimeout = syncTimeout;
        this.shortage = new MemoryShortage(registry);
        this.crowdedAt = System.nanoTime() - CROWDED_NANOS;
        endpointsChanged();
    }

    /** From now on every answer asks the client to take its next push elsewhere; pushes are still accepted. */
    public void drain() {
        draining = true;
    }

    /** Whoever comes from now on is refused, so that a balancer takes it elsewhere; those who have come may still ask. */
    public void closePort() {
        ConnectionLimit connections = limit;
        if (connections != null) {
            connections.closePort();
        }
    }

    /** The port that is open; 0 before it is. */
    public int port() {
        return port;
    }

    /** False while a body waits long for room, and for a while after one was given up for want of it. */
    public boolean hasRoom() {
        return System.nanoTime() - crowdedAt >= CROWDED_NANOS && !large.isWaitedForLong();
    }

    /** A body or a stream of {@code peer} is refused for want of room: see {@link RejectionLog#crowded}. */
    void crowded(String which, Peer peer) {
        crowdedAt = System.nanoTime();
        rejections.crowded(which, peer.address());
    }

    /** @param answered false: there is no answer, or nobody waits for it */
    void refused(Refusal refusal, @Nullable String path, boolean answered) {
        Endpoint endpoint = endpoints.at(path);
        String name = endpoint == null ? NO_ENDPOINT : endpoint.name();
        meters.endpoint(name).refused(refusal, answered);
        refusals.accept(refusal.label(), name);
    }

    void listening(HttpServer listening, Context loop) {
        server = listening;
        port = listening.actualPort();
        loops.add(loop);
    }

    /**
     * Shows another certificate on new connections; those that are open keep theirs. Only with TLS. Fails when it can't be used,
     * with the one before in place.
     */
    public Future<Void> show(TlsIdentity identity) {
        HttpServer open = server;
        return open == null
                ? Future.failedFuture("the port is not open")
                : open.updateSSLOptions(sslOptions(identity), true).mapEmpty();
    }

    /** All that an open server's options are to be: what is left out is forgotten. */
    private ServerSSLOptions sslOptions(TlsIdentity identity) {
        ServerSSLOptions options = new ServerSSLOptions().setKeyCertOptions(identity.pem());
        options.setUseAlpn(config.http2());
        return options.setApplicationLayerProtocols(HttpServerOptions.DEFAULT_ALPN_VERSIONS.stream()
                .map(HttpVersion::alpnName)
                .toList());
    }

    /** The event loops that it runs on, once it has started. */
    public List<Context> loops() {
        return List.copyOf(loops);
    }

    /** Watched from now on: while it is reached, connections that have nothing to say make room sooner. */
    public void limit(ConnectionLimit connections) {
        limit = connections;
    }

    /** Whether as many connections are open as there may be, or so many streams that others are refused. */
    boolean isFull() {
        ConnectionLimit connections = limit;
        return (connections != null && connections.isReached()) || streams.areCrowded();
    }

    /** What is known of memory having run out. */
    public MemoryShortage shortage() {
        return shortage;
    }

    /** What a request is answered at which the gateway itself fails: never a 4xx, since what was sent may be right. */
    Refusal unexpected(Throwable cause) {
        if (shortage.happened(cause)) {
            return Refusal.MEMORY;
        }
        LOG.error("a request can't be received", cause);
        return Refusal.INTERNAL;
    }

    boolean draining() {
        return draining;
    }

    /** What came in at an endpoint since the start. */
    public EndpointTraffic traffic(String endpoint) {
        return meters.endpoint(endpoint).traffic();
    }

    /** What came in since the start, also at endpoints that are gone and where there is none: it never becomes less. */
    public EndpointTraffic traffic() {
        return meters.traffic();
    }

    /** From the end of a push's body to its 200. */
    public LatencyHistogram acknowledgements() {
        return acknowledgements;
    }

    /** How late the event loops come to what is due. */
    public LatencyHistogram loopLag() {
        return loopLag;
    }

    /** What an operator should know of pushes that are refused at the moment, a line for each endpoint and cause. */
    public List<String> notices() {
        return refusedSignatures.alarm().notices();
    }

    /** Opens these endpoints and no others, so what was refused before says nothing of them. One thread at a time. */
    public void open(List<EndpointConfig> wanted) {
        endpoints.replace(wanted);
        endpointsChanged();
    }

    private void endpointsChanged() {
        meters.opened(endpoints.all().stream().map(Endpoint::name).collect(Collectors.toSet()), clock.millis());
        refusedSignatures.alarm().reset();
    }
}
