package dev.holdfast;

import dev.holdfast.config.TokenConfig;
import dev.holdfast.supervision.ConsumerVerticles;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start backwards: not ready any more; pushes still accepted for the drain delay; the port; the deliveries under way; the
 * consumers; the journal last. A step that fails, or hangs as its disk does, is logged and keeps none behind it from being made.
 * Once, by one thread.
 */
final class StopSequence {
    private static final Logger LOG = LoggerFactory.getLogger(StopSequence.class);
    /** What consumers get at least to end in good order, where the time for draining is over. */
    private static final long CLOSE_MILLIS = 2_000;
    /** What steps together get beside what is drained: a slow disk keeps what waits for it. */
    private static final Duration REST = Duration.ofSeconds(10);
    /** What is drained one behind the other at the most by a reload that takes a consumer away. */
    private static final int DRAINS_OF_RELOAD = 2;
    /** And then: requests, deliveries, consumers. */
    private static final int DRAINS = 3;
    /** How long those that came before the port was closed have to ask; no longer than the drain delay. */
    private static final Duration LAST_REQUESTS = Duration.ofSeconds(1);
    /** What a step gets in any case. */
    private static final long LEAST_MILLIS = 1_000;

    private final Wiring wired;
    private final Upkeep upkeep;
    private final Duration drainTimeout;
    /** When what hangs is left behind, by {@link System#nanoTime}. */
    private long deadline;
    /** When what is under way has had the drain timeout. */
    private volatile long drained;

    private @Nullable Throwable failure;

    StopSequence(Wiring wired, Upkeep upkeep) {
        this.wired = wired;
        this.upkeep = upkeep;
        this.drainTimeout = wired.config.receiver().drainTimeout();
    }

    /** Blocks until nothing runs any more, but for what hangs; throws when something failed to stop. */
    void run() {
        Duration drainDelay = drain();
        drained = System.nanoTime() + drainDelay.plus(drainTimeout).toNanos();
        Future<Void> delayed = delay(drainDelay);
        await(drainTimeout.multipliedBy(DRAINS_OF_RELOAD));
        // Waits for a reload under way, be it for a consumer that goes: the balancer is to know before.
        step("reload", wired.reload::end);
        step("consumers", wired.consumers::end);
        step("disk ladder", wired.ladder::close);
        step("upkeep", upkeep::stop);
        await(drainDelay.plus(drainTimeout.multipliedBy(DRAINS)).plus(tokenTimeout()));
        step("deliveries", () -> end(delayed, drainDelay).await());
        step("token", this::endToken);
        step("counts", upkeep::end);
        step("Vert.x", () -> closeVertx(left().toMillis()));
        step("quarantine", wired.quarantine::close);
        step("journal", wired.journal::close);
        step("ledger", wired.store.ledger()::stopped);
        step("store", wired.store::close);
        step("tracer", wired.tracer::close);
        if (failure != null) {
            throw new IllegalStateException("not everything stopped in good order", failure);
        }
        LOG.info("stopped, journal closed after push {}", wired.journal.lastSeq());
    }

    /** From now on steps get so long together, and the rest. */
    private void await(Duration drained) {
        deadline = System.nanoTime() + drained.plus(REST).toNanos();
    }

    /** On a thread of its own, which is left behind when it hangs. */
    private void step(String part, Runnable step) {
        long millis = Math.max(LEAST_MILLIS, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
        try {
            CompletableFuture.runAsync(step, task -> new Thread(task, "stop").start())
                    .orTimeout(millis, TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException | OutOfMemoryError e) {
            Throwable cause = e instanceof CompletionException ? e.getCause() : e;
            failure = failure == null ? cause : failure;
            if (cause instanceof TimeoutException) {
                LOG.error("{}: not stopped within {} ms, and left behind", part, millis);
            } else {
                LOG.error("{}: not stopped in good order", part, cause);
            }
        }
    }

    /** The balancer is to see it. Returns for how long pushes are still accepted. */
    private Duration drain() {
        // Before anyone can see it: who does may count on its answer.
        wired.receiver.drain();
        Duration drainDelay = Duration.ZERO;
        if (wired.readiness.drain()) {
            drainDelay = wired.config.receiver().drainDelay();
            LOG.info("stopping: pushes are accepted for another {} ms", drainDelay.toMillis());
        } else {
            LOG.info("stopping: the start failed, and no push was accepted");
        }
        return drainDelay;
    }

    private Future<Void> delay(Duration delay) {
        return delay.isZero()
                ? Future.succeededFuture()
                : wired.vertx.timer(delay.toMillis(), TimeUnit.MILLISECONDS).mapEmpty();
    }

    /** What comes in, and then what is under way. */
    private Future<Void> end(Future<Void> delayed, Duration drainDelay) {
        Duration last = drainDelay.compareTo(LAST_REQUESTS) < 0 ? drainDelay : LAST_REQUESTS;
        return delayed.andThen((v, failed) -> wired.store.ledger().closed())
                .andThen((v, failed) -> wired.receiver.closePort())
                .compose(v -> delay(last))
                .andThen((v, failed) -> drained = System.nanoTime() + drainTimeout.toNanos())
                .compose(v -> wired.edge.close())
                .andThen((v, failed) -> wired.edge.unguard())
                .eventually(this::endDeliveries)
                .otherwise(failed -> {
                    LOG.error("not everything stopped in good order: {}", failed.getMessage());
                    return null;
                });
    }

    private Future<Void> endDeliveries() {
        Duration left = left();
        LOG.info("no more pushes are accepted; consumers have {} ms for what they have under way", left.toMillis());
        return wired.delivery.finish(left);
    }

    /** What requests have left of the drain timeout, and a little in any case. */
    private Duration left() {
        long left = TimeUnit.NANOSECONDS.toMillis(drained - System.nanoTime());
        return Duration.ofMillis(Math.min(Math.max(left, CLOSE_MILLIS), drainTimeout.toMillis()));
    }

    private Duration tokenTimeout() {
        TokenConfig token = wired.config.token();
        return token == null ? Duration.ZERO : token.requestTimeout();
    }

    /** However short the drain timeout is: the answer under way may be the only one that a code is good for. */
    private void endToken() {
        if (wired.token != null) {
            wired.token.end().await();
        }
    }

    /** Not for ever: a consumer that blocks its thread keeps Vert.x from closing, but not the journal. */
    private void closeVertx(long timeoutMillis) {
        try {
            // By itself: a future that belongs to a context never completes once the context's event loop is gone.
            wired.vertx.close().await(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.error("still at work after {} ms, and left behind: {}", timeoutMillis, ConsumerVerticles.atWork());
        }
    }
}
