package dev.holdfast.delivery;

/** How many pushes may be sent: so many a second, beside those that are earned. On the delivery's event loop. */
final class RateLimiter {
    private final double rate;
    private final double burst;
    private double left;
    private long last = System.nanoTime();

    /**
     * @param rate pushes a second
     * @param burst so many are saved up, and no more
     */
    RateLimiter(double rate, double burst) {
        this.rate = rate;
        this.burst = burst;
    }

    int left() {
        long now = System.nanoTime();
        left = Math.max(left, Math.min(burst, left + rate * ((now - last) / 1e9)));
        last = now;
        return (int) left;
    }

    /** Until one more may be sent that may not be now. */
    long waitMillis() {
        return (long) Math.ceil(1000 * Math.max(0, 1 - left) / rate);
    }

    /** So many more may be sent, beyond the burst too. */
    void earn(double pushes) {
        left = Math.min(burst, left) + pushes;
    }

    void spend(int pushes) {
        left = Math.max(0, left - pushes);
    }
}
