package dev.holdfast.supervision;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.FailureText;
import dev.holdfast.consumer.PushConsumer;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes, deploys and undeploys consumers. Any thread. */
public final class ConsumerVerticles {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerVerticles.class);
    /** Prefix of the names of consumers' threads. */
    private static final String THREADS = "consumer-";

    private final Vertx vertx;
    private final Consumers consumers;
    private final String visitorUpdatedEvent;
    private final Map<String, String> signatureHeaders;
    private final long drainTimeoutMillis;
    private final AtomicLong deployments = new AtomicLong();

    /**
     * A consumer as Vert.x needs it. If {@code start} or {@code stop} returned null, Vert.x would wait for ever; it would log in
     * full what a stop failed with; and a deployment that failed it would never forget, with all that belongs to it. So one whose
     * start failed is deployed as well, to be undeployed, and {@link #failure} tells why.
     */
    private static final class DeployedConsumer implements Deployable {
        private final PushConsumer verticle;
        private final ConsumerConfig config;
        private volatile @Nullable Throwable failure;

        DeployedConsumer(PushConsumer verticle, ConsumerConfig config) {
            this.verticle = verticle;
            this.config = config;
        }

        /** Why it did not start; null: it did. */
        @Nullable
        Throwable failure() {
            return failure == null && !verticle.subscribed() ? new UnfinishedStart(verticle) : failure;
        }

        @Override
        public Future<?> deploy(Context context) {
            return started(context).transform(started -> {
                failure = started.cause();
                return Future.succeededFuture();
            });
        }

        private Future<?> started(Context context) {
            try {
                Future<?> started = verticle.deploy(context);
                return started == null ? Future.failedFuture(new UnfinishedStart(verticle)) : started;
            } catch (Throwable e) {
                return Future.failedFuture(e);
            }
        }

        @Override
        public Future<?> undeploy(Context context) {
            if (failure != null) {
                return Future.succeededFuture();
            }
            try {
                Future<?> stopped = verticle.undeploy(context);
                return stopped == null ? Future.succeededFuture() : stopped.recover(this::stopped);
            } catch (Throwable e) {
                return stopped(e);
            }
        }

        private <T> Future<T> stopped(Throwable cause) {
            LOG.atError()
                    .addKeyValue("consumer", config.name())
                    .log("consumer {} does not end in good order: {}", config.name(), StartFailure.line(cause, config));
            return Future.succeededFuture();
        }
    }

    /** All instances of one consumer, and what they were told about themselves. */
    record ConsumerGroup(ConsumerConfig config, ConsumerContext context, List<PushConsumer> instances) {}

    /** @param signatureHeaders name of the header with the signature, by endpoint, at the moment */
    public ConsumerVerticles(
            Vertx vertx, Consumers consumers, HoldfastConfig config, Map<String, String> signatureHeaders) {
        this.vertx = vertx;
        this.consumers = consumers;
        this.visitorUpdatedEvent = config.platform().visitorUpdatedEvent();
        this.signatureHeaders = signatureHeaders;
        this.drainTimeoutMillis = config.receiver().drainTimeout().toMillis();
    }

    /**
     * Looks for a consumer's class.
     *
     * @throws IllegalArgumentException when it can't be loaded
     */
    void require(ConsumerConfig config) {
        try {
            consumers.require(config.verticle());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("consumer " + config.name() + " can't be started: " + e.getMessage(), e);
        }
    }

    /**
     * Makes as many instances as the configuration wants, on a thread that nobody else needs: a constructor may never
     * return.
     */
    Future<ConsumerGroup> make(ConsumerConfig config) {
        ConsumerContext context = new ConsumerContext(
                config.name(),
                config.timeout(),
                config.concurrency(),
                visitorUpdatedEvent,
                signatureHeaders,
                deployments.incrementAndGet());
        WorkerExecutor maker = vertx.createSharedWorkerExecutor(pool(context) + "-constructor", 1);
        // Unordered: otherwise other blocking calls of the same context would wait for it.
        return maker.executeBlocking(() -> new ConsumerGroup(config, context, instances(config, context)), false)
                .eventually(maker::close);
    }

    private List<PushConsumer> instances(ConsumerConfig config, ConsumerContext context) {
        List<PushConsumer> instances = new ArrayList<>();
        for (int i = 0; i < config.instances(); i++) {
            PushConsumer verticle = consumers.create(config.verticle());
            verticle.bind(context, i);
            instances.add(verticle);
        }
        return instances;
    }

    /** The names of consumers' threads that are still running, when all should have ended. */
    public static String atWork() {
        String threads = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(THREADS))
                .sorted()
                .collect(Collectors.joining(", "));
        return threads.isEmpty() ? "a consumer, or a request for an access token" : threads;
    }

    /**
     * The name of a worker pool. Vert.x shares pools by name, and another one of this name may have a thread that never
     * comes back.
     */
    private static String pool(ConsumerContext context) {
        return THREADS + context.name() + "." + context.deployment();
    }

    /**
     * Deploys all instances, or none; succeeds with the deployments' identifiers. Fails with {@link UnfinishedStart} if
     * the class forgets to subscribe.
     */
    Future<List<String>> deploy(ConsumerGroup group) {
        List<String> identifiers = new ArrayList<>();
        Future<Void> deployed = Future.succeededFuture();
        for (int i = 0; i < group.instances().size(); i++) {
            int instance = i;
            deployed = deployed.compose(v -> deploy(group, instance))
                    .map(identifiers::add)
                    .mapEmpty();
        }
        return deployed.map(v -> List.copyOf(identifiers))
                .recover(failure ->
                        undeploy(group.config().name(), identifiers).compose(v -> Future.failedFuture(failure)));
    }

    /**
     * Deploys one instance. Its {@code executeBlocking} uses threads of its own, even if it runs on an event loop.
     * Vert.x's warnings of blocked threads are off, since they come every second: the delivery logs calls that outlive
     * their timeout.
     */
    private Future<String> deploy(ConsumerGroup group, int instance) {
        ConsumerConfig config = group.config();
        PushConsumer verticle = group.instances().get(instance);
        DeploymentOptions options = new DeploymentOptions()
                .setThreadingModel(model(config.threading()))
                .setClassLoader(verticle.getClass().getClassLoader())
                .setWorkerPoolName(pool(group.context()) + (instance == 0 ? "" : "-" + instance))
                .setMaxWorkerExecuteTime(Long.MAX_VALUE)
                .setConfig(new JsonObject(new LinkedHashMap<>(config.options())));
        if (config.threading() == ConsumerConfig.Threading.WORKER) {
            options.setWorkerPoolSize(1);
        }
        DeployedConsumer deployed = new DeployedConsumer(verticle, config);
        return vertx.deployVerticle(deployed, options)
                // A consumer may have set its own handler, and tasks lost for want of memory would go unnoticed.
                .andThen((identifier, failure) -> vertx.exceptionHandler(Watchdog::uncaught))
                .compose(identifier -> {
                    Throwable failure = deployed.failure();
                    return failure == null
                            ? Future.succeededFuture(identifier)
                            : undeploy(config.name(), identifier).compose(v -> Future.failedFuture(failure));
                });
    }

    private static ThreadingModel model(ConsumerConfig.Threading threading) {
        return switch (threading) {
            case WORKER -> ThreadingModel.WORKER;
            case EVENT_LOOP -> ThreadingModel.EVENT_LOOP;
            case VIRTUAL_THREAD -> ThreadingModel.VIRTUAL_THREAD;
        };
    }

    /** Never fails, and does not wait for ever: a consumer that does not end is left behind with its thread. */
    Future<Void> undeploy(String consumer, List<String> deployments) {
        return Future.join(deployments.stream()
                        .map(deployment -> undeploy(consumer, deployment))
                        .toList())
                .mapEmpty();
    }

    private Future<Void> undeploy(String consumer, String deployment) {
        return vertx.undeploy(deployment)
                .timeout(drainTimeoutMillis, TimeUnit.MILLISECONDS)
                .otherwise(failure -> {
                    String how = failure instanceof TimeoutException
                            ? "not done within " + drainTimeoutMillis + " ms, and left behind"
                            : FailureText.of(failure);
                    LOG.atError()
                            .addKeyValue("consumer", consumer)
                            .log("consumer {} does not end in good order: {}", consumer, how);
                    return null;
                });
    }

    /**
     * The {@code start()} of a consumer that doesn't end in that of {@link PushConsumer}: the consumer can never get a
     * push.
     */
    static final class UnfinishedStart extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        UnfinishedStart(PushConsumer verticle) {
            super(verticle.getClass().getName() + " overrides start() without ending in super.start()");
        }
    }
}
