package dev.holdfast;

import dev.holdfast.supervision.ConsumerVerticles;
import dev.holdfast.tracing.PushTracer;
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
    /** What each step gets at least: else as long as may be drained. */
    private static final Duration LEAST = Duration.ofSeconds(5);

    private final Wiring wired;
    private final Upkeep upkeep;
    private final PushTracer tracer;
    private final Duration drainTimeout;
    /** What each step gets beside the time for draining: a slow disk keeps what waits for it. */
    private final Duration most;

    private @Nullable Throwable failure;

    StopSequence(Wiring wired, Upkeep upkeep, PushTracer tracer) {
        this.wired = wired;
        this.upkeep = upkeep;
        this.tracer = tracer;
        this.drainTimeout = wired.config.receiver().drainTimeout();
        this.most = drainTimeout.compareTo(LEAST) > 0 ? drainTimeout : LEAST;
    }

    /** Blocks until nothing runs any more, but for what hangs; throws when something failed to stop. */
    void run() {
        Duration drainDelay = drain();
        long until = System.nanoTime() + drainDelay.plus(drainTimeout).toNanos();
        Future<Void> delayed = delay(drainDelay);
        // Waits for a reload under way, be it for a consumer that goes: the balancer is to know before.
        step("reload", most, wired.reload::end);
        step("consumers", most, wired.consumers::end);
        step("disk ladder", most, wired.ladder::close);
        step("upkeep", most, upkeep::stop);
        // First the requests have the time for draining, then the deliveries.
        step(
                "deliveries",
                drainDelay.plus(drainTimeout.multipliedBy(2)).plus(most),
                () -> end(delayed).await());
        long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        long closing = Math.min(Math.max(left, CLOSE_MILLIS), drainTimeout.toMillis());
        step("Vert.x", most.plusMillis(closing), () -> closeVertx(closing));
        step("quarantine", most, wired.quarantine::close);
        step("journal", most, wired.journal::close);
        step("ledger", most, wired.store.ledger()::stopped);
        step("store", most, wired.store::close);
        step("tracer", most, tracer::close);
        if (failure != null) {
            throw new IllegalStateException("not everything stopped in good order", failure);
        }
        LOG.info("stopped, journal closed after push {}", wired.journal.lastSeq());
    }

    /** On a thread of its own, which is left behind when it hangs. */
    private void step(String part, Duration timeout, Runnable step) {
        try {
            CompletableFuture.runAsync(step, task -> new Thread(task, "stop").start())
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            failure = failure == null ? e.getCause() : failure;
            if (e.getCause() instanceof TimeoutException) {
                LOG.error("{}: not stopped within {} ms, and left behind", part, timeout.toMillis());
            } else {
                LOG.error("{}: not stopped in good order", part, e.getCause());
            }
        }
    }

    /** The balancer is to see it. Returns for how long pushes are still accepted. */
    private Duration drain() {
        Duration drainDelay = Duration.ZERO;
        if (wired.readiness.drain()) {
            drainDelay = wired.config.receiver().drainDelay();
            LOG.info("stopping: pushes are accepted for another {} ms", drainDelay.toMillis());
        } else {
            LOG.info("stopping: the start failed, and no push was accepted");
        }
        wired.receiver.drain();
        return drainDelay;
    }

    private Future<Void> delay(Duration delay) {
        return delay.isZero()
                ? Future.succeededFuture()
                : wired.vertx.timer(delay.toMillis(), TimeUnit.MILLISECONDS).mapEmpty();
    }

    /** What comes in, and then what is under way. */
    private Future<Void> end(Future<Void> delayed) {
        return delayed.compose(v -> wired.edge.close())
                .andThen((v, failed) -> wired.edge.unguard())
                .andThen((v, failed) -> wired.store.ledger().closed())
                .andThen((v, failed) -> LOG.info(
                        "no more pushes are accepted; consumers have {} ms for what they have under way",
                        drainTimeout.toMillis()))
                .eventually(wired.delivery::finish)
                .otherwise(failed -> {
                    LOG.error("not everything stopped in good order: {}", failed.getMessage());
                    return null;
                });
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
