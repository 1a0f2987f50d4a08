package dev.holdfast.delivery;

import io.vertx.core.Vertx;

/** How many pushes may be sent: so many a second, beside those that are earned. On the delivery's event loop. */
final class RateLimiter {
    /** At the least between two looks at whether more may be sent. */
    private static final long PACE_MILLIS = 10;

    private final double rate;
    private final double burst;
    private final Vertx vertx;
    private final Runnable onMore;
    private double left;
    private long last = System.nanoTime();
    private boolean awaited;

    /**
     * @param rate pushes a second
     * @param burst so many are saved up, and no more
     * @param onMore more may be sent, after none was {@link #left}
     */
    RateLimiter(double rate, double burst, Vertx vertx, Runnable onMore) {
        this.rate = rate;
        this.burst = burst;
        this.vertx = vertx;
        this.onMore = onMore;
    }

    /** How many may be sent now. Where none may, a timer tells when: those that wait may have nothing else that wakes them. */
    int left() {
        long now = System.nanoTime();
        left = Math.max(left, Math.min(burst, left + rate * ((now - last) / 1e9)));
        last = now;
        await();
        return (int) left;
    }

    private void await() {
        if (left < 1 && !awaited) {
            awaited = true;
            long millis = (long) Math.ceil(1000 * (1 - left) / rate);
            vertx.setTimer(Math.max(PACE_MILLIS, millis), timer -> {
                awaited = false;
                onMore.run();
            });
        }
    }

    /** Whether something waits that nothing but the rate holds up. */
    boolean isAwaited() {
        return awaited;
    }

    /** So many more may be sent, beyond the burst too. */
    void earn(long pushes) {
        left = Math.min(burst, left) + pushes;
    }

    void spend(int pushes) {
        left = Math.max(0, left - pushes);
    }
}
