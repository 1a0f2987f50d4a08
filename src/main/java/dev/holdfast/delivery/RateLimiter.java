package dev.holdfast.delivery;

/** How many pushes a replay may send: so many a second, and no more than a second's at once. On the delivery's event loop. */
final class RateLimiter {
    private final int rate;
    private double left;
    private long last = System.nanoTime();

    /** @param rate pushes a second, at least 1 */
    RateLimiter(int rate) {
        this.rate = rate;
    }

    int left() {
        long now = System.nanoTime();
        left = Math.min(Math.max(1, rate), left + rate * ((now - last) / 1e9));
        last = now;
        return (int) left;
    }

    void spend(int pushes) {
        left -= pushes;
    }
}
