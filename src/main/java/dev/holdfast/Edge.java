package dev.holdfast;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.HeapPlan;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.config.ManagementConfig;
import dev.holdfast.consumer.FailureText;
import dev.holdfast.disk.Descriptors;
import dev.holdfast.receiver.ConnectionLimit;
import dev.holdfast.receiver.ConnectionPlan;
import dev.holdfast.receiver.Receiver;
import dev.holdfast.receiver.ReceiverVerticle;
import dev.holdfast.supervision.Watchdog;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.NetUtil;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The receiver's port, and what guards it: a limit to the connections, and a watchdog over the event loops. */
final class Edge {
    private static final Logger LOG = LoggerFactory.getLogger(Edge.class);

    private final Vertx vertx;
    private final HoldfastConfig config;
    private final Receiver receiver;
    private final MeterRegistry registry;
    /** What ends each of them. */
    private final List<Runnable> guards = new CopyOnWriteArrayList<>();
    /** As they were just before the port was opened. */
    private volatile Descriptors descriptors = Descriptors.ofProcess();

    private volatile @Nullable ConnectionLimit limit;
    /** The deployment that has the port; empty: it is not open. */
    private volatile String deployment = "";

    Edge(Vertx vertx, HoldfastConfig config, Receiver receiver, MeterRegistry registry) {
        this.vertx = vertx;
        this.config = config;
        this.receiver = receiver;
        this.registry = registry;
    }

    /** When all else that takes descriptors and memory has them. */
    Future<Void> open(int managementPort) {
        descriptors = Descriptors.ofProcess();
        ConnectionPlan plan = plan(config.consumers());
        guards.add(ConnectionLimit.onProbed(managementPort, ManagementConfig.MOST_CONNECTIONS, registry)::close);
        return ReceiverVerticle.deploy(vertx, receiver)
                .recover(e -> cannotListen(
                        "receiver", config.receiver().host(), config.receiver().port(), e))
                .map(opened -> {
                    deployment = opened;
                    guard(plan);
                    return null;
                });
    }

    private ConnectionPlan plan(List<ConsumerConfig> consumers) {
        return ConnectionPlan.of(descriptors, HeapPlan.ofProcess(), consumers);
    }

    /** Why the port would have too few descriptors beside these consumers; empty when it would not. */
    Optional<String> complaint(List<ConsumerConfig> consumers) {
        try {
            plan(consumers);
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    /** From now on there are as many connections as these consumers leave. */
    void leave(List<ConsumerConfig> consumers) {
        ConnectionPlan plan = plan(consumers);
        ConnectionLimit present = limit;
        if (present != null && present.most() != plan.most()) {
            tell(plan);
            present.change(plan.most());
        }
    }

    private static void tell(ConnectionPlan plan) {
        LOG.info("at most {} connections: {}", plan.most(), plan.reason());
    }

    private void guard(ConnectionPlan plan) {
        tell(plan);
        ConnectionLimit fresh = ConnectionLimit.on(receiver.port(), plan.most(), registry);
        limit = fresh;
        receiver.limit(fresh);
        guards.add(fresh::close);
        List<Executor> loops = new ArrayList<>();
        receiver.loops().forEach(loop -> loops.add(task -> run(loop, task)));
        loops.add(fresh::onAcceptor);
        guards.add(Watchdog.over(loops, receiver.shortage()::lasts)::close);
    }

    /** Not where a consumer has closed the Vert.x that it has from here, and the receiver with it. */
    private void run(Context loop, Runnable task) {
        if (!vertx.deploymentIDs().contains(deployment) && !deployment.isEmpty()) {
            throw new RejectedExecutionException("the receiver is gone");
        }
        loop.runOnContext(v -> task.run());
    }

    /** The ports stay open, where they are. */
    void unguard() {
        guards.forEach(Runnable::run);
    }

    /** Completes when the requests under way are answered, or the drain timeout is over. */
    Future<Void> close() {
        String open = deployment;
        deployment = "";
        return open.isEmpty() ? Future.succeededFuture() : vertx.undeploy(open);
    }

    /** @param part the section of the configuration that has the port */
    static <T> Future<T> cannotListen(String part, String host, int port, Throwable cause) {
        return Future.failedFuture(new IllegalStateException(
                part + ".host and port: can't listen on " + NetUtil.toSocketAddressString(host, port) + ": "
                        + FailureText.of(cause),
                cause));
    }
}
