package dev.holdfast.store;

import java.util.function.LongSupplier;

/**
 * How many requests, and how much of them, the quarantine takes in a second, and no more than a second's at once: who sends bad
 * signatures as fast as they can takes so much of the processor and the disk and no more. Any thread.
 */
final class QuarantineRate {
    private final int requests;
    private final long bytes;
    private final LongSupplier nanoTime;
    private double requestsLeft;
    private double bytesLeft;
    private long last;

    /**
     * @param requests a second
     * @param bytes a second; a larger request is taken when nothing is owed, and owed for
     */
    QuarantineRate(int requests, long bytes, LongSupplier nanoTime) {
        this.requests = requests;
        this.bytes = bytes;
        this.nanoTime = nanoTime;
        this.requestsLeft = requests;
        this.bytesLeft = bytes;
        this.last = nanoTime.getAsLong();
    }

    /** Whether one more may come; if so it counts. */
    synchronized boolean tryTake(int size) {
        long now = nanoTime.getAsLong();
        double seconds = (now - last) / 1e9;
        last = now;
        requestsLeft = Math.min(requests, requestsLeft + requests * seconds);
        bytesLeft = Math.min((double) bytes, bytesLeft + bytes * seconds);
        if (requestsLeft < 1 || bytesLeft <= 0) {
            return false;
        }
        requestsLeft--;
        bytesLeft -= size;
        return true;
    }

    /** It was larger than it was taken for. */
    synchronized void alsoTake(int more) {
        bytesLeft -= more;
    }
}
