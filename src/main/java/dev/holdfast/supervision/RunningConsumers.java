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
 * The consumers that are wanted, and bringing those that run in line with them. Receiving never waits for a consumer: one
 * that can't start now is tried again, and pushes are kept for it meanwhile. One {@link #apply} at a time. What is wanted and
 * what runs changes in one step with what the delivery is asked for, which does it in that order.
 */
public final class RunningConsumers {
    private static final Logger LOG = LoggerFactory.getLogger(RunningConsumers.class);
    private static final Backoff RETRY = Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private record Running(ConsumerConfig config, List<String> deployments) {}

    private final Vertx vertx;
    private final Delivery delivery;
    private final ConsumerVerticles verticles;
    /** As each is wanted: it runs, is starting, or is to be tried again. */
    private final Map<String, ConsumerConfig> known = new ConcurrentHashMap<>();

    private final Map<String, Running> running = new ConcurrentHashMap<>();

    /** Why the last start of one that is missing failed. */
    private final Map<String, String> failures = new ConcurrentHashMap<>();

    public RunningConsumers(Vertx vertx, Delivery delivery, ConsumerVerticles verticles) {
        this.vertx = vertx;
        this.delivery = delivery;
        this.verticles = verticles;
    }

    /**
     * Restarts what is wanted otherwise and starts what is missing, all at once; what is no longer wanted goes on until
     * {@link #dropOthers}. When a class can't be had nothing is changed at all. A changed consumer that can't start leaves the
     * one it was to replace in place; the future fails for it in the end: {@code apply} what was wanted before to be there
     * again. A new one that can't start is tried again until it does.
     *
     * @param timeout how long consumers are waited for; they go on starting after that, and a failure then is the log's
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
     * Stops what is not wanted, once all the others are there: one that is stopped has nobody who keeps its pushes for it. It
     * takes as long as handling what is under way, up to the time for draining.
     */
    public Future<Void> dropOthers(List<ConsumerConfig> wanted) {
        Set<String> names = wanted.stream().map(ConsumerConfig::name).collect(Collectors.toSet());
        List<Future<Void>> steps = delivery.consumers().names().stream()
                .filter(name -> !names.contains(name))
                .map(this::drop)
                .toList();
        return Future.join(steps).mapEmpty();
    }

    /** What is starting is wanted no more, nor tried again: the gateway stops. Whoever stops Vert.x ends those that run. */
    public void end() {
        known.clear();
    }

    /** Those that are wanted and don't run, and why; empty: they are still starting. */
    public Map<String, String> away() {
        return delivery.consumers().names().stream()
                .filter(name -> !running.containsKey(name))
                .collect(Collectors.toMap(Function.identity(), name -> failures.getOrDefault(name, "")));
    }

    /** Whether each of them runs, or is being started, as it is wanted: none is one that has failed for good. */
    public boolean areKnown(List<ConsumerConfig> wanted) {
        return wanted.stream().allMatch(this::isKnown);
    }

    private boolean isKnown(ConsumerConfig config) {
        return config.equals(known.get(config.name()));
    }

    /** Whether this start of it is wanted, no earlier or later one with an equal configuration, and it does not run. */
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
        LOG.info("stopping consumer {}", name);
        known.remove(name);
        failures.remove(name);
        Running present = running.remove(name);
        Future<Void> delivered = delivery.consumers().remove(name);
        return present == null
                ? delivered
                : delivered.eventually(() -> verticles.undeploy(name, present.deployments()));
    }

    private synchronized Future<Void> bring(ConsumerConfig config) {
        String name = config.name();
        known.put(name, config);
        Running present = running.remove(name);
        if (present == null) {
            return start(config).recover(failure -> later(config, failure, 1));
        }
        LOG.info("restarting consumer {} with its changed configuration", name);
        return delivery.consumers()
                .takeOut(name)
                .eventually(() -> verticles.undeploy(name, present.deployments()))
                .compose(v -> start(config))
                .recover(failure -> takeBack(config, present.config(), failure));
    }

    private synchronized Future<Void> takeBack(ConsumerConfig config, ConsumerConfig before, Throwable failure) {
        if (!isMissing(config)) {
            // Not wanted any more, or not like this: the one before isn't either.
            return Future.succeededFuture();
        }
        known.put(config.name(), before);
        return startAnew(before, 1).transform(back -> Future.failedFuture(refusal(config, failure)));
    }

    /** Unchecked, whatever a consumer's start failed with: who waits for a future is thrown its failure as it is. */
    private static IllegalStateException refusal(ConsumerConfig config, Throwable failure) {
        String reason = StartFailure.line(failure, config);
        return new IllegalStateException(
                "consumer " + config.name() + " can't be started, the one before goes on: " + reason, failure);
    }

    /**
     * Whoever asked for the consumer has long had an answer: a failure is the log's.
     *
     * @param attempt which of those since it ran, or was configured
     */
    private Future<Void> startAnew(ConsumerConfig config, int attempt) {
        return Future.succeededFuture()
                .compose(v -> start(config))
                .recover(failure -> later(config, failure, attempt))
                .andThen((done, failure) -> {
                    if (failure != null) {
                        LOG.error(
                                "{}; it is not tried again until the configuration changes, or is read again on SIGHUP",
                                failure.getMessage());
                    }
                });
    }

    /** Its place in the journal comes first: from then on nothing it has not had is given up. */
    private synchronized Future<Void> start(ConsumerConfig config) {
        if (!isMissing(config)) {
            // While the one before ended, or it was to be tried again, the configuration has changed.
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
            // No longer wanted, or not like this: while it was starting the configuration has changed.
            return verticles.undeploy(config.name(), deployments);
        }
        Running now = new Running(config, deployments);
        running.put(config.name(), now);
        failures.remove(config.name());
        return delivery.consumers().add(config, group.context()).recover(failure -> notAdded(now, failure));
    }

    /** A consumer that runs and is not delivered to would never be looked at again: it starts from the beginning. */
    private Future<Void> notAdded(Running now, Throwable failure) {
        ConsumerConfig config = now.config();
        if (!running.remove(config.name(), now)) {
            // Somebody else has taken it from here.
            return Future.succeededFuture();
        }
        return verticles.undeploy(config.name(), now.deployments()).compose(v -> Future.failedFuture(failure));
    }

    private synchronized Future<Void> later(ConsumerConfig config, Throwable failure, int attempt) {
        if (!isMissing(config)) {
            // Not wanted any more, or not like this: nobody has to hear of it.
            return Future.succeededFuture();
        }
        String reason = StartFailure.line(failure, config);
        failures.put(config.name(), "it can't start: " + reason);
        if (failure instanceof ConsumerVerticles.UnfinishedStart || failure instanceof IllegalArgumentException) {
            // Someone has to mend something first: no time makes it better.
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
