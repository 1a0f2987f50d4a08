package dev.holdfast.delivery;

import dev.holdfast.config.RetryConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.core.IntervalFunction;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows a consumer as a whole that fails everything: after some failed attempts in a row none is made for a while, then one,
 * and all again when a push is handled. A Resilience4j circuit breaker, with one thing added: while few different pushes have
 * failed, one that never has is tried at once, for a stuck lane tells nothing of the others. On the delivery's event loop.
 */
final class Breaker {
    /** So many attempts fail, with no push handled between them; and so many different pushes are tried for it. */
    static final int THRESHOLD = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);
    private static final long FIRST_MILLIS = 1_000;
    private static final long MOST_MILLIS = 30_000;
    private static final double FACTOR = 2;

    private final String consumer;
    private final Vertx vertx;
    private final Runnable onTrial;
    private final CircuitBreaker circuit;
    private long waitMillis;
    private int failedPushes;

    /** @param onTrial an attempt may be made after a while without */
    Breaker(String consumer, RetryConfig retry, Vertx vertx, Runnable onTrial) {
        this.consumer = consumer;
        this.vertx = vertx;
        this.onTrial = onTrial;
        long most = Math.max(1, Math.min(MOST_MILLIS, retry.maxDelay().toMillis()));
        IntervalFunction growing = IntervalFunction.ofExponentialBackoff(Math.min(FIRST_MILLIS, most), FACTOR, most);
        circuit = CircuitBreaker.of(
                consumer,
                CircuitBreakerConfig.custom()
                        .slidingWindow(THRESHOLD, THRESHOLD, SlidingWindowType.COUNT_BASED)
                        .failureRateThreshold(100)
                        .permittedNumberOfCallsInHalfOpenState(1)
                        .waitIntervalFunctionInOpenState(openings -> waitMillis = growing.apply(openings))
                        .build());
        circuit.getEventPublisher()
                .onStateTransition(event -> became(
                        event.getStateTransition().getFromState(),
                        event.getStateTransition().getToState()));
    }

    private void became(State before, State now) {
        if (before == State.CLOSED) {
            LOG.warn("{}: fails everything, is slowed until it handles a push", consumer);
        }
        if (now == State.OPEN) {
            vertx.setTimer(waitMillis, timer -> onTrial.run());
        } else if (now == State.CLOSED) {
            LOG.info("{}: has handled a push again, is no longer slowed", consumer);
        }
    }

    /**
     * Whether an attempt may be made now; one that may is to be followed by what became of it.
     *
     * @param fresh whether it would be the first one at a push
     */
    boolean permits(boolean fresh) {
        return circuit.tryAcquirePermission() || (fresh && !failsEverything());
    }

    /** What was permitted came to nothing, neither well nor badly. */
    void unused() {
        circuit.releasePermission();
    }

    boolean isClosed() {
        return circuit.getState() == State.CLOSED;
    }

    /** Whether many different pushes have failed, with none handled between them: it isn't the pushes then. */
    boolean failsEverything() {
        return failedPushes >= THRESHOLD;
    }

    /** A push was handled. */
    void handled() {
        failedPushes = 0;
        if (circuit.getState() == State.OPEN) {
            circuit.transitionToClosedState();
        } else {
            circuit.onSuccess(0, TimeUnit.NANOSECONDS);
        }
    }

    /** @param again whether the push has failed before */
    void failed(Throwable failure, boolean again) {
        failedPushes += again ? 0 : 1;
        circuit.onError(0, TimeUnit.NANOSECONDS, failure);
    }
}
