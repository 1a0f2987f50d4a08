package dev.holdfast.delivery;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.retry.Backoff;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows a consumer as a whole that fails one push after the other: after some failed attempts in a row none is made for a
 * while, then one, and all again when a push is handled. Two things are of its own kind, for one stuck lane tells nothing of
 * the others: while few different pushes have failed, one that never has is tried at once; and lanes that handled what they had
 * last go on, which tells soonest whether the consumer fails everything. On the delivery's event loop.
 *
 * <pre>
 * from       what happens                      to
 * CLOSED     so many failures in a row         OPEN
 * OPEN       the wait is over                  HALF_OPEN: one attempt
 * HALF_OPEN  it fails                          OPEN, for longer
 * HALF_OPEN  no attempt is made                HALF_OPEN, and a wait begins again
 * any        a push is handled                 CLOSED
 * </pre>
 */
final class CircuitBreaker {
    /** So many attempts fail, with no push handled between them; and so many different pushes are tried for it. */
    static final int THRESHOLD = 10;

    /** So many lanes are known to work; so many attempts are made in vain at the most when the consumer fails everything. */
    private static final int WORKING = 16;

    private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    enum State {
        CLOSED,
        OPEN,
        HALF_OPEN;

        /** As it is shown, e.g. {@code half-open}. */
        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final String consumer;
    private final Vertx vertx;
    private final Runnable onTrial;
    private final Backoff backoff;
    /** The keys of lanes that handled what they had last, the newest last. */
    private final Set<String> working = new LinkedHashSet<>();

    private volatile State state = State.CLOSED;
    private int failures;
    private int failedPushes;
    /** How often in a row it was opened. */
    private int openings;
    /** How often a wait has begun. */
    private int waits;

    /** How many trials were permitted, and whether the last one is under way. */
    private int trials;

    private boolean trying;
    /** Of the wait; the first one of a Vert.x is 0. */
    private long timer = -1;

    private boolean stopped;
    /** When it last began not to fail everything, and for how long it had not until then; nanoseconds. */
    private long triesBegan = System.nanoTime();

    private long triedNanos;

    /** @param onTrial an attempt may be made after a while without */
    CircuitBreaker(String consumer, RetryConfig retry, Vertx vertx, Runnable onTrial) {
        this.consumer = consumer;
        this.vertx = vertx;
        this.onTrial = onTrial;
        Duration most = retry.maxDelay();
        this.backoff = Backoff.doubling(FIRST_WAIT, most.compareTo(LONGEST_WAIT) < 0 ? most : LONGEST_WAIT);
    }

    /** The attempt that may be made now while it is not closed, to be followed by what became of it; 0: none may. */
    int trial() {
        if (state != State.HALF_OPEN || trying) {
            return 0;
        }
        trying = true;
        return ++trials;
    }

    /** A trial is over, or was not made: another may be, where it came to nothing. */
    void unused(int trial) {
        trying = trying && trial != trials;
    }

    /** Any thread. */
    State state() {
        return state;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Whether many different pushes have failed, with none handled between them: it isn't the pushes then. */
    boolean failsEverything() {
        return failedPushes >= THRESHOLD;
    }

    /** Another number with each wait: while it fails everything, a feed takes new pushes once in each at the most. */
    int waits() {
        return waits;
    }

    /** For how long it has not failed everything, all in all, whatever clocks are set to meanwhile; milliseconds. */
    long triedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(triedNanos + (failsEverything() ? 0 : System.nanoTime() - triesBegan));
    }

    /** The keys of lanes that may go on whatever the others do. */
    Iterable<String> working() {
        return working;
    }

    /** Pushes of a lane were handled. */
    void handled(String lane) {
        working.remove(lane);
        working.add(lane);
        if (working.size() > WORKING) {
            working.remove(working.iterator().next());
        }
        if (failsEverything()) {
            triesBegan = System.nanoTime();
        }
        failures = 0;
        failedPushes = 0;
        trying = false;
        openings = 0;
        if (state != State.CLOSED) {
            state = State.CLOSED;
            LOG.atInfo()
                    .addKeyValue("consumer", consumer)
                    .log("{}: has handled a push again, attempts no longer wait", consumer);
        }
    }

    /** @param again whether the push has failed before */
    void failed(String lane, boolean again) {
        working.remove(lane);
        failures++;
        if (!again && ++failedPushes == THRESHOLD) {
            triedNanos += System.nanoTime() - triesBegan;
        }
        if (state == State.HALF_OPEN) {
            open();
        } else if (state == State.CLOSED && failures >= THRESHOLD) {
            LOG.atWarn()
                    .addKeyValue("consumer", consumer)
                    .log(
                            "{}: {} attempts in a row have failed, the next ones wait until it handles a push",
                            consumer,
                            THRESHOLD);
            open();
        }
    }

    private void open() {
        state = State.OPEN;
        trying = false;
        openings++;
        await();
    }

    /** There are no attempts any more: else its waits, one after the other, would keep all of the delivery in memory. */
    void stop() {
        stopped = true;
        vertx.cancelTimer(timer);
    }

    private void await() {
        int wait = ++waits;
        if (stopped) {
            return;
        }
        timer = vertx.setTimer(backoff.millis(openings), fired -> {
            if (state != State.CLOSED && wait == waits) {
                state = State.HALF_OPEN;
                await();
                onTrial.run();
            }
        });
    }
}
