package dev.holdfast;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.PlatformConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.Consumers;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.delivery.Delivery;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumers that are deployed, and bringing them in line with a configuration. Each has a worker thread of its own, so
 * that one that blocks costs neither the receiver nor another consumer anything. One {@link #apply} at a time.
 */
final class RunningConsumers {
    private static final Logger LOG = LoggerFactory.getLogger(RunningConsumers.class);

    private record Running(ConsumerConfig config, String deployment) {}

    private final Vertx vertx;
    private final Delivery delivery;
    private final Consumers consumers;
    private final PlatformConfig platform;
    private final Map<String, Running> running = new LinkedHashMap<>();

    RunningConsumers(Vertx vertx, Delivery delivery, Consumers consumers, PlatformConfig platform) {
        this.vertx = vertx;
        this.delivery = delivery;
        this.consumers = consumers;
        this.platform = platform;
    }

    /**
     * Stops what is no longer wanted or wanted otherwise, then starts what is missing. When a class can't be had nothing
     * is changed at all.
     */
    Future<Void> apply(List<ConsumerConfig> wanted) {
        Map<ConsumerConfig, PushConsumer> made = new LinkedHashMap<>();
        try {
            for (ConsumerConfig config : wanted) {
                if (!isRunning(config)) {
                    made.put(config, make(config));
                }
            }
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        Future<Void> done = Future.succeededFuture();
        for (Running present : List.copyOf(running.values())) {
            if (!wanted.contains(present.config())) {
                done = done.compose(v -> stop(present));
            }
        }
        for (Map.Entry<ConsumerConfig, PushConsumer> missing : made.entrySet()) {
            done = done.compose(v -> start(missing.getKey(), missing.getValue()));
        }
        return done;
    }

    private boolean isRunning(ConsumerConfig config) {
        Running present = running.get(config.name());
        return present != null && present.config().equals(config);
    }

    private PushConsumer make(ConsumerConfig config) {
        try {
            return consumers.create(config.verticle());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(cantStart(config, e), e);
        }
    }

    private Future<Void> start(ConsumerConfig config, PushConsumer verticle) {
        ConsumerContext consumer = new ConsumerContext(config.name(), config.timeout(), platform.visitorUpdatedEvent());
        verticle.bind(consumer);
        return deploy(config, verticle)
                .onSuccess(deployment -> running.put(config.name(), new Running(config, deployment)))
                .compose(deployment -> delivery.add(config, consumer))
                .recover(
                        failure -> Future.failedFuture(new IllegalStateException(cantStart(config, failure), failure)));
    }

    private static String cantStart(ConsumerConfig config, Throwable failure) {
        return "consumer " + config.name() + " can't be started: " + failure.getMessage();
    }

    private Future<String> deploy(ConsumerConfig config, PushConsumer verticle) {
        DeploymentOptions options = new DeploymentOptions()
                .setThreadingModel(ThreadingModel.WORKER)
                .setWorkerPoolName("consumer-" + config.name())
                .setWorkerPoolSize(1)
                .setClassLoader(verticle.getClass().getClassLoader())
                .setConfig(new JsonObject(new LinkedHashMap<>(config.options())));
        return vertx.deployVerticle(verticle, options)
                .compose(deployment -> verticle.subscribed()
                        ? Future.succeededFuture(deployment)
                        : Future.failedFuture(
                                verticle.getClass().getName() + " overrides start() without ending in super.start()"));
    }

    private Future<Void> stop(Running present) {
        String name = present.config().name();
        LOG.info("stopping consumer {}", name);
        running.remove(name);
        return delivery.remove(name).eventually(() -> vertx.undeploy(present.deployment()));
    }
}
