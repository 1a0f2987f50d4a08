package dev.holdfast;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.EndpointConfig;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.Consumers;
import dev.holdfast.consumer.PushConsumer;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes, deploys and undeploys consumers, each on a worker thread of its own. Any thread. */
final class ConsumerVerticles {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerVerticles.class);

    private final Vertx vertx;
    private final Consumers consumers;
    private final String visitorUpdatedEvent;
    private final Map<String, String> signatureHeaders;
    private final long patienceMillis;

    ConsumerVerticles(Vertx vertx, Consumers consumers, HoldfastConfig config) {
        this.vertx = vertx;
        this.consumers = consumers;
        this.visitorUpdatedEvent = config.platform().visitorUpdatedEvent();
        this.signatureHeaders = config.receiver().endpoints().stream()
                .collect(Collectors.toMap(EndpointConfig::name, EndpointConfig::signatureHeader));
        this.patienceMillis = config.receiver().drainTimeout().toMillis();
    }

    /** @throws IllegalArgumentException when its class can't be had */
    PushConsumer make(ConsumerConfig config) {
        try {
            PushConsumer verticle = consumers.create(config.verticle());
            verticle.bind(context(config));
            return verticle;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("consumer " + config.name() + " can't be started: " + e.getMessage(), e);
        }
    }

    ConsumerContext context(ConsumerConfig config) {
        return new ConsumerContext(config.name(), config.timeout(), visitorUpdatedEvent, signatureHeaders);
    }

    /** The deployment's identifier. Fails with {@link UnfinishedStart} when the class forgets to subscribe. */
    Future<String> deploy(ConsumerConfig config, PushConsumer verticle) {
        DeploymentOptions options = new DeploymentOptions()
                .setThreadingModel(ThreadingModel.WORKER)
                .setWorkerPoolName("consumer-" + config.name())
                .setWorkerPoolSize(1)
                .setClassLoader(verticle.getClass().getClassLoader())
                .setConfig(new JsonObject(new LinkedHashMap<>(config.options())));
        return vertx.deployVerticle(verticle, options)
                .compose(deployment -> verticle.subscribed()
                        ? Future.succeededFuture(deployment)
                        : undeploy(config.name(), deployment)
                                .compose(v -> Future.failedFuture(new UnfinishedStart(verticle))));
    }

    /** Never fails, and does not wait for ever: a consumer that does not end is left behind with its thread. */
    Future<Void> undeploy(String consumer, String deployment) {
        return vertx.undeploy(deployment)
                .timeout(patienceMillis, TimeUnit.MILLISECONDS)
                .otherwise(failure -> {
                    LOG.error("consumer {} does not end in good order: {}", consumer, failure.toString());
                    return null;
                });
    }

    /** A consumer whose {@code start()} does not end in that of {@link PushConsumer}: it can't get any push, ever. */
    static final class UnfinishedStart extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        UnfinishedStart(PushConsumer verticle) {
            super(verticle.getClass().getName() + " overrides start() without ending in super.start()");
        }
    }
}
