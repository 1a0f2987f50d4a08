package dev.holdfast.delivery;

import dev.holdfast.config.RetryConfig;
import java.util.HashSet;
import java.util.Set;

/**
 * Slows a consumer as a whole that fails one push after the other: no attempt for a while, then one, and everything again
 * when that goes well. What fails again and again in one lane doesn't count: it slows nobody else. On the delivery's event
 * loop.
 */
final class Breaker {
    /** So many different pushes fail, with none handled between them. */
    static final int THRESHOLD = 10;

    private static final long FIRST_MILLIS = 1_000;
    private static final long MOST_MILLIS = 30_000;

    /** What is allowed. */
    private enum State {
        CLOSED,
        OPEN,
        TRIAL
    }

    private final Set<Long> failed = new HashSet<>();
    private final long mostMillis;
    private State state = State.CLOSED;
    private int openings;

    Breaker(RetryConfig retry) {
        this.mostMillis = Math.max(1, Math.min(MOST_MILLIS, retry.maxDelay().toMillis()));
    }

    /** How many of {@code concurrency} lanes may be at work. */
    int allowed(int concurrency) {
        return switch (state) {
            case CLOSED -> concurrency;
            case OPEN -> 0;
            case TRIAL -> 1;
        };
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** A push was handled; true when that ends the slowness. */
    boolean handled() {
        failed.clear();
        openings = 0;
        boolean ends = state != State.CLOSED;
        state = State.CLOSED;
        return ends;
    }

    /**
     * An attempt of a push failed.
     *
     * @param again whether it has failed before
     * @return for how many milliseconds no other attempt is to be made; 0 when it may
     */
    long failed(long seq, boolean again) {
        boolean trial = state == State.TRIAL;
        boolean enough = !again && failed.add(seq) && failed.size() >= THRESHOLD;
        if (state == State.OPEN || !(trial || enough)) {
            return 0;
        }
        failed.clear();
        state = State.OPEN;
        return Math.min(mostMillis, FIRST_MILLIS << Math.min(10, openings++));
    }

    /** The time is over: one attempt. */
    void tryAgain() {
        if (state == State.OPEN) {
            state = State.TRIAL;
        }
    }
}
