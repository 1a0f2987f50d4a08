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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumers that are deployed, and bringing them in line with a configuration. Each instance has a worker thread of its own, so
 * that one that blocks costs neither the receiver nor another consumer anything. One {@link #apply} at a time.
 */
final class RunningConsumers {
    private static final Logger LOG = LoggerFactory.getLogger(RunningConsumers.class);

    private record Running(ConsumerConfig config, List<String> deployments) {}

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
     * Stops what is no longer wanted, restarts what is wanted otherwise, starts what is missing. One that can't be started
     * keeps the others from nothing, and leaves the one it was to replace in place; the future fails for it in the end.
     */
    Future<Void> apply(List<ConsumerConfig> wanted) {
        Future<Void> done = Future.succeededFuture();
        for (Running present : List.copyOf(running.values())) {
            String name = present.config().name();
            if (wanted.stream().noneMatch(config -> config.name().equals(name))) {
                done = then(done, () -> stop(present, delivery.remove(name)));
            }
        }
        for (ConsumerConfig config : wanted) {
            done = then(done, () -> bring(config));
        }
        return done;
    }

    /** The next step, whatever became of those before; their failure is the whole's. */
    private static Future<Void> then(Future<Void> before, Supplier<Future<Void>> step) {
        return before.transform(first -> step.get().compose(v -> before));
    }

    private Future<Void> bring(ConsumerConfig config) {
        Running present = running.get(config.name());
        if (present == null) {
            return start(config);
        }
        return present.config().equals(config) ? Future.succeededFuture() : replace(present, config);
    }

    private Future<Void> replace(Running present, ConsumerConfig config) {
        return stop(present, delivery.pause(config.name()))
                .compose(v -> start(config))
                .recover(failure -> start(present.config()).transform(back -> Future.failedFuture(failure)));
    }

    private Future<Void> start(ConsumerConfig config) {
        ConsumerContext consumer = new ConsumerContext(config.name(), config.timeout(), platform.visitorUpdatedEvent());
        List<String> deployments = new ArrayList<>();
        Future<Void> deployed = Future.succeededFuture();
        for (int i = 0; i < config.instances(); i++) {
            int instance = i;
            deployed = deployed.compose(v -> deploy(config, consumer, instance).onSuccess(deployments::add))
                    .mapEmpty();
        }
        return deployed.compose(v -> delivery.add(config, consumer))
                .onSuccess(v -> running.put(config.name(), new Running(config, List.copyOf(deployments))))
                .recover(failure -> undeploy(deployments).transform(undeployed -> Future.failedFuture(failure)))
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        "consumer " + config.name() + " can't be started: " + failure.getMessage(), failure)));
    }

    private Future<String> deploy(ConsumerConfig config, ConsumerContext consumer, int instance) {
        PushConsumer verticle;
        try {
            verticle = consumers.create(config.verticle());
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        verticle.bind(consumer, instance);
        DeploymentOptions options = new DeploymentOptions()
                .setThreadingModel(ThreadingModel.WORKER)
                .setWorkerPoolName("consumer-" + config.name() + (instance == 0 ? "" : "-" + instance))
                .setWorkerPoolSize(1)
                .setClassLoader(verticle.getClass().getClassLoader())
                .setConfig(new JsonObject(new LinkedHashMap<>(config.options())));
        return vertx.deployVerticle(verticle, options)
                .compose(deployment -> verticle.subscribed()
                        ? Future.succeededFuture(deployment)
                        : undeploy(List.of(deployment))
                                .transform(undeployed -> Future.failedFuture(new IllegalStateException(
                                        verticle.getClass().getName()
                                                + " overrides start() without ending in super.start()"))));
    }

    private Future<Void> undeploy(List<String> deployments) {
        return Future.join(deployments.stream().map(vertx::undeploy).toList()).mapEmpty();
    }

    private Future<Void> stop(Running present, Future<Void> delivered) {
        String name = present.config().name();
        LOG.info("stopping consumer {}", name);
        running.remove(name);
        return delivered.eventually(() -> undeploy(present.deployments()));
    }
}
