package dev.holdfast.supervision;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.FailureTrace;
import dev.holdfast.delivery.Delivery;
import dev.holdfast.retry.Backoff;
import dev.holdfast.supervision.ConsumerVerticles.ConsumerGroup;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumers that are wanted, and those that run, which it brings in line. Receiving never waits for a consumer: one
 * that can't start is tried again, and pushes are kept for it meanwhile. One {@link #apply} at a time. A change of what
 * is wanted or runs and the request to the delivery are one step, so that the delivery acts in the same order.
 */
public final class RunningConsumers {
    private static final Logger LOG = LoggerFactory.getLogger(RunningConsumers.class);
    private static final Backoff RETRY = Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private record Running(ConsumerConfig config, List<String> deployments) {}

    private final Vertx vertx;
    private final Delivery delivery;
    private final ConsumerVerticles verticles;
    /** Each wanted consumer's configuration, whether it runs, is starting, or is to be tried again. */
    private final Map<String, ConsumerConfig> known = new ConcurrentHashMap<>();

    private final Map<String, Running> running = new ConcurrentHashMap<>();

    /** Why the last start of a missing consumer failed. */
    private final Map<String, String> failures = new ConcurrentHashMap<>();

    public RunningConsumers(Vertx vertx, Delivery delivery, ConsumerVerticles verticles) {
        this.vertx = vertx;
        this.delivery = delivery;
        this.verticles = verticles;
    }

    /**
     * Restarts consumers whose configuration has changed and starts missing ones, all at once. Those that are no longer
     * wanted run on until {@link #dropOthers}. If a class can't be loaded, nothing is changed at all. If a changed
     * consumer can't start, the one that it should replace stays, and the future fails in the end: {@code apply} the
     * former list to restore the others. A new consumer that can't start is tried again until it does.
     *
     * @param timeout how long to wait for consumers; they go on starting after that, and a later failure is only logged
     */
    public Future<Void> apply(List<ConsumerConfig> wanted, Duration timeout) {
        List<ConsumerConfig> changed =
                wanted.stream().filter(config -> !isKnown(config)).toList();
        try {
            changed.forEach(verticles::require);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        return Future.join(changed.stream()
                        .map(config -> inTime(config, bring(config), timeout))
                        .toList())
                .mapEmpty();
    }

    /**
     * Stops consumers that are not wanted, to be called once all the others are there: from then on nothing keeps
     * pushes for the stopped ones. Takes as long as handling what is under way, at most the time for draining.
     */
    public Future<Void> dropOthers(List<ConsumerConfig> wanted) {
        Set<String> names = wanted.stream().map(ConsumerConfig::name).collect(Collectors.toSet());
        List<Future<Void>> steps = delivery.consumers().names().stream()
                .filter(name -> !names.contains(name))
                .map(this::drop)
                .toList();
        return Future.join(steps).mapEmpty();
    }

    /** The gateway stops: no consumer is started or tried again any more. Those that run end when Vert.x is stopped. */
    public void end() {
        known.clear();
    }

    /** The wanted consumers that don't run, and why; an empty reason means that it is still starting. */
    public Map<String, String> away() {
        return delivery.consumers().names().stream()
                .filter(name -> !running.containsKey(name))
                .collect(Collectors.toMap(Function.identity(), name -> failures.getOrDefault(name, "")));
    }

    /** Whether each of them runs, or is being started, with this configuration, and none has failed for good. */
    public boolean areKnown(List<ConsumerConfig> wanted) {
        return wanted.stream().allMatch(this::isKnown);
    }

    private boolean isKnown(ConsumerConfig config) {
        return config.equals(known.get(config.name()));
    }

    /** Whether it is this start that is wanted, not one before or after it with an equal configuration, and it does not run. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isMissing(ConsumerConfig config) {
        return known.get(config.name()) == config && !running.containsKey(config.name());
    }

    private Future<Void> inTime(ConsumerConfig config, Future<Void> step, Duration timeout) {
        return step.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS).recover(failure -> {
            if (failure instanceof TimeoutException) {
                LOG.atWarn()
                        .addKeyValue("consumer", config.name())
                        .log("consumer {} is still starting; pushes are kept for it", config.name());
                step.onFailure(late ->
                        LOG.atError().addKeyValue("consumer", config.name()).log("{}", late.getMessage()));
                return Future.succeededFuture();
            }
            return Future.failedFuture(failure);
        });
    }

    private synchronized Future<Void> drop(String name) {
        LOG.atInfo().addKeyValue("consumer", name).log("stopping consumer {}", name);
        known.remove(name);
        failures.remove(name);
        Running present = running.remove(name);
        Future<Void> delivered = delivery.consumers().remove(name);
        return present == null
                ? delivered
                : delivered.eventually(() -> verticles.undeploy(name, present.deployments()));
    }

    private synchronized Future<Void> bring(ConsumerConfig wanted) {
        // A start is told from others by its object, and a reload that is refused puts back the same one.
        ConsumerConfig config = wanted.with(wanted.files());
        String name = config.name();
        known.put(name, config);
        Running present = running.remove(name);
        if (present == null) {
            return start(config).recover(failure -> later(config, failure, 1));
        }
        LOG.atInfo().addKeyValue("consumer", name).log("restarting consumer {} with its changed configuration", name);
        return delivery.consumers()
                .takeOut(name)
                .eventually(() -> verticles.undeploy(name, present.deployments()))
                .compose(v -> start(config))
                .recover(failure -> takeBack(config, present.config(), failure));
    }

    private synchronized Future<Void> takeBack(ConsumerConfig config, ConsumerConfig before, Throwable failure) {
        if (!isMissing(config)) {
            // No longer wanted, or with another configuration: neither is the one before.
            return Future.succeededFuture();
        }
        known.put(config.name(), before);
        // Not waited for: however long it takes, the change has failed in time.
        startAnew(before, 1);
        return Future.failedFuture(refusal(config, failure));
    }

    /**
     * The failure as an unchecked exception: whoever waits for a future is thrown its failure as it is, even a checked
     * one.
     */
    private static IllegalStateException refusal(ConsumerConfig config, Throwable failure) {
        String reason = StartFailure.line(failure, config);
        return new IllegalStateException(
                "consumer " + config.name() + " can't be started, the one before goes on: " + reason, failure);
    }

    /**
     * Starts a consumer again in the background: its caller has long been answered, so a failure is only logged.
     *
     * @param attempt number of the attempt since it ran or was configured
     */
    private void startAnew(ConsumerConfig config, int attempt) {
        Future.succeededFuture()
                .compose(v -> start(config))
                .recover(failure -> later(config, failure, attempt))
                .onFailure(failure -> LOG.atError()
                        .addKeyValue("consumer", config.name())
                        .log(
                                "{}; it is not tried again until the configuration changes, or is read again on SIGHUP",
                                failure.getMessage()));
    }

    /**
     * Starts a consumer. Its place in the journal is registered first: from then on nothing that it has not had is
     * given up.
     */
    private synchronized Future<Void> start(ConsumerConfig config) {
        if (!isMissing(config)) {
            // The configuration changed while the predecessor ended, or before this attempt.
            return Future.succeededFuture();
        }
        return delivery.consumers()
                .reserve(config)
                .compose(v -> verticles.make(config))
                .compose(group -> verticles.deploy(group).compose(deployments -> started(group, deployments)));
    }

    private synchronized Future<Void> started(ConsumerGroup group, List<String> deployments) {
        ConsumerConfig config = group.config();
        if (!isMissing(config)) {
            // The configuration changed while it was starting: it is no longer wanted, or not like this.
            return verticles.undeploy(config.name(), deployments);
        }
        Running now = new Running(config, deployments);
        running.put(config.name(), now);
        failures.remove(config.name());
        return delivery.consumers().add(config, group.context()).recover(failure -> notAdded(now, failure));
    }

    /** A consumer that runs but gets no deliveries would never be noticed again: it is started anew. */
    private Future<Void> notAdded(Running now, Throwable failure) {
        ConsumerConfig config = now.config();
        if (!running.remove(config.name(), now)) {
            // Somebody else is responsible for it now.
            return Future.succeededFuture();
        }
        return verticles.undeploy(config.name(), now.deployments()).compose(v -> Future.failedFuture(failure));
    }

    private synchronized Future<Void> later(ConsumerConfig config, Throwable failure, int attempt) {
        if (!isMissing(config)) {
            // Not wanted any more, or not like this: the failure interests nobody.
            return Future.succeededFuture();
        }
        String reason = StartFailure.line(failure, config);
        failures.put(config.name(), "it can't start: " + reason);
        if (failure instanceof ConsumerVerticles.UnfinishedStart || failure instanceof IllegalArgumentException) {
            // Somebody has to mend something first: trying again would not help.
            known.remove(config.name(), config);
            return Future.failedFuture(new IllegalStateException(
                    "consumer " + config.name() + " can't be started: "
                            + config.withoutOptions(String.valueOf(failure.getMessage())),
                    failure));
        }
        long delay = RETRY.millis(attempt);
        LOG.atError()
                .addKeyValue("consumer", config.name())
                .log("consumer {} can't be started, next try in {} ms: {}", config.name(), delay, reason);
        LOG.debug("consumer {} can't be started: {}", config.name(), FailureTrace.of(failure));
        vertx.setTimer(delay, timer -> startAnew(config, attempt + 1));
        return Future.succeededFuture();
    }
}
