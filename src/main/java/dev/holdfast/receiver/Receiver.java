package dev.holdfast.receiver;

import dev.holdfast.config.ReceiverConfig;
import dev.holdfast.journal.Journal;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;

/** The HTTP edge as a whole: one {@link ReceiverVerticle} per event loop, and what they share. Any thread. */
public final class Receiver {
    private final Vertx vertx;
    private final ReceiverConfig config;
    private final List<Endpoint> endpoints;
    private final Journal journal;
    private final InstantSource clock;
    private final InFlight inFlight;
    private final ReceiverMeters meters;
    private final Complaints complaints;
    private volatile boolean draining;
    private volatile int port;
    private volatile String deployment = "";

    /** @param clock tells when a push was received */
    public Receiver(
            Vertx vertx,
            ReceiverConfig config,
            List<Endpoint> endpoints,
            Journal journal,
            MeterRegistry registry,
            InstantSource clock) {
        this.vertx = vertx;
        this.config = config;
        this.endpoints = List.copyOf(endpoints);
        this.journal = journal;
        this.clock = clock;
        this.inFlight = new InFlight(config.maxInFlight());
        this.meters = new ReceiverMeters(registry, inFlight);
        this.complaints = new Complaints(clock);
    }

    /** Opens the port, on as many event loops as there are processors. Fails when it can't be bound. */
    public Future<Void> start() {
        return vertx.deployVerticle(
                        () -> new ReceiverVerticle(this),
                        new DeploymentOptions()
                                .setInstances(Runtime.getRuntime().availableProcessors()))
                .map(id -> {
                    deployment = id;
                    return null;
                });
    }

    /** From now on every answer asks the client to take its next push elsewhere; pushes are still accepted. */
    public void drain() {
        draining = true;
    }

    /** Closes the port and waits, up to the drain timeout, for the requests under way. */
    public Future<Void> stop() {
        return deployment.isEmpty() ? Future.succeededFuture() : vertx.undeploy(deployment);
    }

    /** The port that is open; 0 before it is. */
    public int port() {
        return port;
    }

    void listening(int actualPort) {
        port = actualPort;
    }

    boolean draining() {
        return draining;
    }

    ReceiverConfig config() {
        return config;
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    Journal journal() {
        return journal;
    }

    InstantSource clock() {
        return clock;
    }

    InFlight inFlight() {
        return inFlight;
    }

    ReceiverMeters meters() {
        return meters;
    }

    Complaints complaints() {
        return complaints;
    }
}
