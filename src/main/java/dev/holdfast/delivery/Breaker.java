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
 * Slows a consumer as a whole that fails one push after the other: no attempt for a while, then one, and everything again
 * when that goes well. A Resilience4j circuit breaker, told only what says something new of the consumer: what fails again
 * and again in one lane slows nobody else. On the delivery's event loop.
 */
final class Breaker {
    /** So many different pushes fail, with none handled between them. */
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
            LOG.warn("{}: fails one push after the other, is slowed until one is handled", consumer);
        }
        if (now == State.OPEN) {
            vertx.setTimer(waitMillis, timer -> onTrial.run());
        } else if (now == State.CLOSED) {
            LOG.info("{}: has handled a push again, is no longer slowed", consumer);
        }
    }

    /** Whether an attempt may be made now; one that may is to be followed by what became of it. */
    boolean permits() {
        return circuit.tryAcquirePermission();
    }

    /** What was permitted came to nothing, neither well nor badly. */
    void unused() {
        circuit.releasePermission();
    }

    boolean isClosed() {
        return circuit.getState() == State.CLOSED;
    }

    /** A push was handled. */
    void handled() {
        circuit.onSuccess(0, TimeUnit.NANOSECONDS);
    }

    /** @param again whether the push has failed before, which counts only where there is but one attempt */
    void failed(Throwable failure, boolean again) {
        if (!again || !isClosed()) {
            circuit.onError(0, TimeUnit.NANOSECONDS, failure);
        }
    }
}
